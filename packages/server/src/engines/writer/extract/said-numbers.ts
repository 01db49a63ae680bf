const numbers =
  /\b(?:\d[\d.,:]*|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|monday|tuesday|wednesday|thursday|friday|saturday|sunday|first|second|third|fourth|fifth|\w{3,8}(?:teen|ti)eth|\w{3,6}teenth)\b/gi

/** The numbers, ordinals and days of the week in a sentence: by them one time or amount is told from another. */
export const numbersOf = (raw: string): string[] => raw.toLowerCase().match(numbers) ?? []
