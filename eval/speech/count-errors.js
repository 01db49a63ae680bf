const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

function sayNumber(number) {
  if (number < 20) return units[number]
  if (number < 100) return `${tens[Math.floor(number / 10)]} ${number % 10 ? units[number % 10] : ''}`
  if (number < 1000)
    return `${units[Math.floor(number / 100)]} hundred ${number % 100 ? sayNumber(number % 100) : ''}`
  return `${sayNumber(Math.floor(number / 1000))} thousand ${number % 1000 ? sayNumber(number % 1000) : ''}`
}

/** Spellings of the same sound; nothing that could hide a word that was heard wrongly. */
const sameSound = [
  [/\bmr\.?(?= )/g, 'mister'],
  [/\bok\b/g, 'okay'],
  [/\bvoice ?mail/g, 'voicemail'],
  [/\be-?mail/g, 'email'],
  [/\blog ?in\b/g, 'login'],
  [/\bcan not\b/g, 'cannot'],
  [/\bgood ?bye\b/g, 'goodbye'],
  [/\btouch ?tone\b/g, 'touchtone'],
  [/\bset ?up\b/g, 'setup'],
  [/\bre ?record\b/g, 'rerecord'],
  [/\bmail ?box\b/g, 'mailbox'],
  [/\bfile ?name\b/g, 'filename'],
  [/\bvoice ?over\b/g, 'voiceover'],
  [/#/g, ' pound '],
]

export function wordsOf(text) {
  let plain = text.toLowerCase().replaceAll('’', "'").replaceAll('-', ' ')
  for (const [pattern, word] of sameSound) plain = plain.replaceAll(pattern, word)
  plain = plain
    .replaceAll(/(\d),(?=\d{3})/g, '$1')
    .replaceAll(/\d{1,6}/g, (digits) => ` ${sayNumber(Number(digits))} `)
  return plain
    .replaceAll(/[^a-z' ]/g, ' ')
    .split(' ')
    .filter(Boolean)
}

/** Words replaced, left out and added: the fewest changes from one to the other. */
export function countErrors(said, heard) {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  said.forEach((word, line) => {
    const next = [line + 1]
    heard.forEach((other, column) => {
      const replaced = row[column] + (word === other ? 0 : 1)
      next.push(Math.min(replaced, row[column + 1] + 1, next[column] + 1))
    })
    row = next
  })
  return row[heard.length]
}
