/**
 * Coarse English sounds from spelling: enough to see that "search for line" and "sertraline" are said alike. Both sides go
 * through the same rules, so what the rules get wrong they get wrong twice. Vowels are `aeiou`; C is ch, S sh, T th, J j, N ng.
 */
const rules: readonly (readonly [RegExp, string])[] = [
  [/^(?:kn|gn|pn)/, 'n'],
  [/^ps/, 's'],
  [/^wr/, 'r'],
  [/^x/, 'z'],
  [/^(?:tion|sion|cion|tian|cian)/, 'Sun'],
  [/^(?:tial|cial)/, 'Sul'],
  [/^ture/, 'Cur'],
  [/^(?:tch|ch(?![lr]))/, 'C'],
  [/^ch/, 'k'],
  [/^sch/, 'sk'],
  [/^sh/, 'S'],
  [/^th/, 'T'],
  [/^ph/, 'f'],
  [/^gh/, ''],
  [/^dge?/, 'd'],
  [/^c?k/, 'k'],
  [/^c?qu/, 'kw'],
  [/^wh/, 'w'],
  [/^sc(?=[eiy])/, 's'],
  [/^cc(?=[eiy])/, 'ks'],
  [/^c(?=[eiy])/, 's'],
  [/^c/, 'k'],
  [/^g(?=[eiy])/, 'J'],
  [/^j/, 'J'],
  [/^x/, 'ks'],
  [/^ng(?![aeiouy])/, 'N'],
  [/^(?:igh|eigh)/, 'i'],
  [/^(?:ee|ea|ie|ei)/, 'i'],
  [/^(?:ai|ay|ae)/, 'e'],
  [/^(?:oo|ou|ew|ue|eu)/, 'u'],
  [/^(?:oa|ow|au|aw|oi|oy)/, 'o'],
  [/^y(?=[aeiou])/, 'y'],
  [/^y/, 'i'],
  [/^h(?=[aeiouy])/, 'h'],
  [/^h/, ''],
  [/^e$/, ''],
]

/** Names of letters, for what is spelled aloud: "X. R." */
const letterNames: Record<string, string> = {
  b: 'bi', c: 'si', d: 'di', f: 'ef', g: 'Ji', h: 'eC', j: 'Je', k: 'ke', l: 'el', m: 'em', n: 'en', p: 'pi', q: 'kiu',
  r: 'ar', s: 'es', t: 'ti', v: 'vi', w: 'dubulu', x: 'eks', y: 'wi', z: 'zi',
} // prettier-ignore

export function toSounds(phrase: string): string {
  return phrase
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .split(/[^a-z]+/)
    .map((word) => letterNames[word] ?? wordToSounds(word))
    .join('')
}

function wordToSounds(word: string): string {
  let sounds = ''
  for (let at = 0; at < word.length;) {
    const rest = word.slice(at)
    const rule = rules.find(([pattern], i) => (i > 3 || at === 0) && pattern.test(rest))
    const length = rule === undefined ? 1 : (rule[0].exec(rest)?.[0].length ?? 1)
    const sound = rule === undefined ? rest[0]! : rule[1]
    if (!(sound.length === 1 && sounds.endsWith(sound))) sounds += sound
    at += length
  }
  return sounds
}

const vowels = 'aeiou'
const isVowel = (sound: string): boolean => vowels.includes(sound)

/** Sounds that are taken for each other, and how much of a whole mistake that is. */
const near = new Map<string, number>()
for (const [cost, groups] of [
  [0.25, ['sz', 'SC', 'JC', 'nN', 'iy', 'uw']],
  [
    0.35,
    ['pb', 'td', 'kg', 'fv', 'Tf', 'TD', 'sS', 'zJ', 'tC', 'dJ', 'mn', 'sT', 'tT', 'mN', 'dT', 'Ts', 'zT'],
  ],
  [
    0.55,
    [
      'lr',
      'lw',
      'rw',
      'vb',
      'fp',
      'pt',
      'tk',
      'kp',
      'bd',
      'dg',
      'bg',
      'pk',
      'nl',
      'nd',
      'mb',
      'sC',
      'sJ',
      'vm',
      'sf',
      'rn',
    ],
  ],
] as const)
  for (const [a, b] of groups) {
    near.set(`${a}${b}`, cost)
    near.set(`${b}${a}`, cost)
  }

function costOfOther(a: string, b: string): number {
  if (a === b) return 0
  if (isVowel(a) && isVowel(b)) return 0.2
  return near.get(a + b) ?? (isVowel(a) !== isVowel(b) ? 1.1 : 0.9)
}

function costOfAlone(sound: string): number {
  if (isVowel(sound)) return 0.35
  if ('hwy'.includes(sound)) return 0.4
  return 'rltdnN'.includes(sound) ? 0.55 : 0.8
}

export const weightOf = (sounds: string): number => {
  let weight = 0
  for (const sound of sounds) weight += isVowel(sound) ? 0.4 : 1
  return weight
}

/** What the difference in length alone costs: a lower bound that spares most comparisons. */
export const leastSoundDistance = (a: string, b: string): number => leastDistanceOf(weightOf(a), weightOf(b))

export const leastDistanceOf = (first: number, second: number): number =>
  (0.4 * Math.abs(first - second)) / normOf(first, second)

/** By what a cost is divided, so that it is one of how much was said. */
export const normOf = (first: number, second: number): number => Math.max((first + second) / 2, 1)

/** The costs by character code, because the table of distances is filled thousands of times for a sentence. */
const codes = 128
const otherCosts = new Float64Array(codes * codes)
const aloneCosts = new Float64Array(codes)
for (let a = 0; a < codes; a++) {
  aloneCosts[a] = costOfAlone(String.fromCharCode(a))
  for (let b = 0; b < codes; b++)
    otherCosts[a * codes + b] = costOfOther(String.fromCharCode(a), String.fromCharCode(b))
}

export const aloneCostOf = (code: number): number => aloneCosts[code]!
export const otherCostOf = (code: number, other: number): number => otherCosts[code * codes + other]!

/** The first sounds are heard best: a wrong one counts half as much again. */
export const stressAt = (at: number): number => (at < 2 ? 1.5 : 1)

/** 0 for the same sounds, about 1 for nothing in common. */
export function measureSoundDistance(a: string, b: string): number {
  let row = new Float64Array(b.length + 1)
  let next = new Float64Array(b.length + 1)
  for (let j = 0; j < b.length; j++) row[j + 1] = row[j]! + aloneCosts[b.charCodeAt(j)]!
  for (let i = 0; i < a.length; i++) {
    const stress = stressAt(i)
    const code = a.charCodeAt(i)
    const alone = aloneCosts[code]! * stress
    next[0] = row[0]! + alone
    for (let j = 0; j < b.length; j++) {
      const other = b.charCodeAt(j)
      const exchanged = row[j]! + otherCosts[code * codes + other]! * stress
      next[j + 1] = Math.min(exchanged, row[j + 1]! + alone, next[j]! + aloneCosts[other]!)
    }
    ;[row, next] = [next, row]
  }
  return row[b.length]! / normOf(weightOf(a), weightOf(b))
}
