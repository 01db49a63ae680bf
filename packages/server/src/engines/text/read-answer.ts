/** How an answer to a plain question leaves it; `open` where it says neither yes nor no. */
export type Answer = 'yes' | 'no' | 'open'

/** What decides stands at the beginning of an answer. */
const headLengthMax = 200

const lead =
  '^(?:\\W|good|um+(?!m)|uh+(?!h)|oh|god|gosh|heavens|lord|well|ha|honestly|mm+(?!m)|i mean|you know)*'
const open = new RegExp(
  `${lead}(?:not really|not exactly|i'm not not|i am not not|kind of|kinda|sort of|i don't know|i dunno|hard to say|i guess|no comment|next question)`,
  'i',
)
const no = new RegExp(
  `${lead}(?:no\\b(?! (?:more than|one\\b|idea|comment))|nope|nah|naw|never\\b|neither|not at all|none(?! of your)|nothing(?! (?:matters|i'd|i would))|not since|not anymore|not lately|not this|not today|not now|not like that|i (?:don't|do not|dont)(?! (?:mind|care|think so|have the (?:energy|nerve)|want to (?:be here|be alive|wake up|live)))|i haven't(?! decided)|i'm not|i am (?:not|neither)|i didn't|i (?:did|was|could) not|i have (?:not(?! decided)|never|nothing|none|no\\b(?! (?:idea|doubt)))|i would never|i'd never|i (?:wouldn't|would not)(?! (?:mind|care))|absolutely not|definitely not|of course not|god no)`,
  'i',
)
const yes = new RegExp(
  `${lead}(?:yes|yeah|yep|yup|uh.?huh|mhm|sure|definitely|absolutely|i (?:do|have|am|did)\\b(?! (?:not|no|never|nothing|none|neither)\\b)|once\\b|twice\\b|sometimes|(?:some|a few) (?:nights|days|mornings|evenings|times)\\b|every\\b|always|usually|mostly|most\\b|a little|a bit|of course|right|correct|exactly|okay|ok\\b|that's right|maybe (?:once|twice|\\w+ (?:times|nights|days)))`,
  'i',
)

export const readAnswer = (text: string): Answer => {
  const head = text.slice(0, headLengthMax).replaceAll('’', "'")
  if (open.test(head)) return 'open'
  if (no.test(head)) return 'no'
  return yes.test(head) ? 'yes' : 'open'
}
