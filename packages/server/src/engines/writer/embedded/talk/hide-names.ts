import { findMedications } from '../../../lexicon/medications.js'

const roles =
  'sister|brother|mother|mom|father|dad|husband|wife|partner|boyfriend|girlfriend|spouse|son|daughter|friend|best friend|boss|manager|supervisor|coworker|colleague|roommate|neighbor|uncle|aunt|cousin|grandmother|grandfather|grandma|grandpa|ex|ex-husband|ex-wife|teacher|sponsor|landlord|therapist|nephew|niece|stepdad|stepmom|kid|baby|dog|cat|counselor|doctor|psychiatrist|dealer|client|case manager|caseworker|social worker|pastor|coach|nurse|trainer|dentist|lawyer|stepfather|stepmother|fiance|fiancee|girl|boy'

/** The commonest given names in the United States; a word among them that is not first in its sentence names a person. */
export const givenNames = new Set(
  `james mary john patricia robert jennifer michael linda david elizabeth william barbara richard susan joseph jessica thomas
  sarah charles karen christopher lisa daniel nancy matthew betty anthony sandra mark margaret donald ashley steven kimberly
  andrew emily paul donna joshua michelle kenneth carol kevin amanda brian melissa george deborah timothy stephanie ronald
  rebecca jason sharon edward laura jeffrey cynthia ryan dorothy jacob amy gary kathleen nicholas angela eric shirley
  jonathan emma stephen brenda larry pamela justin nicole scott anna brandon samantha benjamin katherine samuel christine
  gregory debra alexander rachel patrick carolyn frank janet raymond maria jack olivia dennis heather jerry helen tyler
  catherine aaron diane jose julie henry victoria adam joyce douglas lauren nathan kelly peter christina zachary ruth kyle
  joan walter virginia ethan judith jeremy evelyn christian hannah keith andrea roger megan terry cheryl harold jacqueline
  sean madison austin teresa carl abigail arthur sophia lawrence martha dylan sara jesse gloria jordan janice bryan kathryn
  billy ann bruce isabella gabriel judy joe julia logan grace alan amber juan denise wayne danielle roy marilyn ralph
  beverly randy charlotte eugene natalie vincent theresa bobby diana russell brittany louis doris philip kayla johnny alexis
  mia noah liam lucas mason oliver elijah aiden luis carlos miguel jorge pedro mateo renee dale carmen brianna marissa tony
  mike dave steve chris matt dan tom bob jim joey sam ben alex nick jen jenny katie kate beth liz sue kim pam tina gina rosa
  lucia elena sofia priya raj amit wei mei ali omar fatima ahmed aisha jamal keisha tyrone darnell latoya malik andre marcus
  derek trevor troy shane craig todd chad brad greg jeff phil neil ian colin leah molly holly tara erin shannon tracy stacy
  wendy robin paula monica yolanda veronica alicia vanessa natasha bianca jasmine crystal tiffany courtney lindsay whitney
  brooke paige haley hailey chloe zoe lily ella ava harper`.split(/\s+/),
)

/** Names are learnt where a role is said with them, "my sister Renee", and stand for the role from then on. */
export interface NameHider {
  hide(text: string): string
}

export const makeNameHider = (texts: readonly string[]): NameHider => {
  const roleOf = new Map<string, string>()
  const introduced = new RegExp(`\\b[Mm]y ((?:${roles}))(?:'s name is)?,? ([A-Z][a-z]+)\\b`, 'g')
  for (const text of texts) {
    for (const match of text.matchAll(introduced)) roleOf.set(match[2] ?? '', match[1] ?? '')
    for (const match of text.matchAll(explained)) roleOf.set(match[1] ?? '', match[2] ?? '')
  }
  const persons = new Set(
    texts
      .flatMap((text) => [...text.matchAll(acting)].map(([name]) => name))
      .filter((name) => !notPersons.test(name)),
  )
  return { hide: (text) => hideNames(text, roleOf, persons) }
}

/** "Ray, my sponsor" */
const explained = new RegExp(`(?<=[a-z,] )([A-Z][a-z]+), my ((?:${roles}))\\b`, 'g')

/** A capital inside a sentence, on somebody who does what only people do: "since Peg passed". */
const acting =
  /(?<=[a-z,] )([A-Z][a-z]+)(?= (?:passed|died|said|says|told|called|came|left|thinks|wants|knows|asked|moved)\b)|(?<=\b(?:told|tell|telling|called|call|texted|asked|miss|missed) )([A-Z][a-z]+)\b/g

const notPersons =
  /^(?:I|God|Jesus|Lord|Mom|Dad|Mommy|Daddy|Mama|Grandma|Grandpa|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Doctor|Dr|Uber|Amazon|Congress|Medicaid|Medicare|Walgreens)$/

const apposition = new RegExp(
  `\\b((?:my|his|her|their|our|your|the|a) (?:\\w+ )?(?:${roles})),? ([A-Z][a-z]+)\\b(,)?`,
  'gi',
)
const titled = /\b(?:Pastor|Coach|Officer|Professor|Aunt|Uncle|Cousin) [A-Z][a-z]+\b/g
const titledMr = /\b(?:Mr\.?|Mrs\.?|Ms\.?|Mister|Miss) [A-Z][a-z]+\b/g
/** Whoever has a son is a person. */
const owner =
  /\b([A-Z][a-z]+)'s (?=(?:boy|girl|son|daughter|kid|kids|husband|wife|mother|mom|father|dad|brother|sister)\b)/g

const vocative =
  /(?:^|, )(?:Thanks|Thank you|Okay|Hi|Hey|Well|So|Yes|No|Right)?,? ?\b([A-Z][a-z]+)(?=[,.!?])/g

const isName = (word: string, text: string, persons: ReadonlySet<string> = new Set()): boolean =>
  (givenNames.has(word.toLowerCase()) || persons.has(word)) &&
  /^[A-Z]/.test(word) &&
  findMedications(text).every(({ name }) => name !== word)

const hideNames = (text: string, roleOf: ReadonlyMap<string, string>, persons: ReadonlySet<string>): string =>
  text
    .replace(explained, (whole, name: string, role: string) => (roleOf.has(name) ? `my ${role}` : whole))
    .replace(titled, (whole) => `the ${whole.split(' ')[0]?.toLowerCase() ?? ''}`)
    .replace(titledMr, 'someone')
    .replace(owner, (whole, name: string) =>
      roleOf.has(name) || name.endsWith('body') ? whole : "someone's ",
    )
    .replace(apposition, (whole, role: string, name: string) =>
      /^[A-Z]/.test(name) && (roleOf.has(name) || isName(name, text)) ? role : whole,
    )
    .replace(vocative, (whole, name: string) =>
      isName(name, text) && !roleOf.has(name) && whole.startsWith(',') ? '' : whole,
    )
    .replace(/\b([A-Z][a-z]+)('s)?\b/g, (whole, name: string, possessive: string | undefined) => {
      const role = roleOf.get(name)
      if (role !== undefined) return `my ${role}${possessive ?? ''}`
      return isName(name, text, persons) ? `someone${possessive ?? ''}` : whole
    })
