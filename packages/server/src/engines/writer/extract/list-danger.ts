import type { NoteTemplate } from '@casenote/contract'
import type { DangerTopic } from '../../reader/danger/danger-topics.js'
import type { DangerFinding, Finding } from '../../reader/reading.js'
import type { Account } from '../is-account.js'
import { wordNotAsked } from '../say-not-asked.js'
import { placeOf } from '../templates/note-template.js'
import { readAskedDanger } from './asked-danger.js'
import { findGround } from './find-ground.js'
import { hasGraveWord } from './grave-words.js'
import { union, type Line } from './line.js'
import { labelDanger } from './label-danger.js'
import { isDangerTalk, quoteFinding, type Source } from './quote-finding.js'
import type { Said, Talk } from './read-turns.js'
import { isAsked, leavesUnnamed, needOf } from './stands.js'

/** More than any session has; each is a line. */
const linesMax = 200

/** What was plainly said or asked about danger, each question and answer a line; the rest is for the clinician's list. */
export function listDanger(context: Source & { template: NoteTemplate }): Line[] {
  const section = placeOf(context.template, 'danger')
  const danger = context.reading.findings.filter((one) => one.kind === 'danger')
  const lines: { quoted: Said[] }[] = []
  for (const finding of danger) {
    const quoted = quoteFinding(finding, context)
    if (!isPlain(finding, quoted) || !isBorneOut(finding, quoted)) continue
    const same = lines.find((line) => line.quoted.some((said) => !isAsked(said) && quoted.includes(said)))
    const line = same ?? { quoted: [] }
    if (same === undefined) lines.push(line)
    line.quoted = union(line.quoted, quoted)
  }
  return groundLines(
    lines.map(({ quoted }) => quoted),
    context,
  )
    .slice(0, linesMax)
    .map((quoted): Line => ({
      section,
      heading: 'Danger',
      label: labelDanger(quoted, context.talk),
      quoted,
      worth: 1,
    }))
}

/** A line without a quote, for what nobody asked or mentioned; `findings` are all there are, what is only suspected among them. */
export function listNotAsked(
  findings: readonly Finding[],
  {
    template,
    talk,
    jotted = [],
    account = null,
  }: { template: NoteTemplate; talk: Talk; jotted?: readonly string[]; account?: Account | null },
): Line[] {
  // Words and figures mention it, also where the reader has no finding of them: what is said to be unmentioned is believed.
  const mentioned = talk.sentences.flatMap((said) => (said.isTyped ? [] : [said.raw, ...mattersOf(said)]))
  const label = wordNotAsked(findings, [...jotted, ...mentioned], account)
  return label === null
    ? []
    : [{ section: placeOf(template, 'danger'), heading: 'Danger', label, quoted: [], worth: 1 }]
}

/** "I could have murdered him, mind you." */
const ofKilling =
  /\b(?:murder(?:s|ed|ing)?|kill(?:s|ed|ing)? (?:him|her|them|you|somebody|someone|people)|stab(?:s|bed|bing)?|strangl(?:e|ed|ing))\b/i
/** Below it the encoder means nothing in particular. */
const mentionedFrom = 0.2

function mattersOf({ raw, topics }: Said): string[] {
  const isOf = (topic: DangerTopic): boolean => topics.some((scores) => (scores[topic] ?? 0) >= mentionedFrom)
  return [
    ...(hasGraveWord(raw) || isOf('risk_self') ? ['suicide'] : []),
    ...(ofKilling.test(raw) || isOf('risk_others') ? ['harm to others'] : []),
  ]
}

/** "Were you hurt?" */
const fewWordsNeed = 0.8

/** "And those thoughts, are they every night?": a question that points back stands with what it points at. */
function groundLines(lines: readonly (readonly Said[])[], { talk }: Source): Said[][] {
  const grounded: Said[][] = []
  for (const quoted of lines) {
    const [first] = quoted
    const isPointing =
      first !== undefined && (leavesUnnamed(first) || (isAsked(first) && needOf(first) >= fewWordsNeed))
    const ground = isPointing ? findGround(first, talk) : []
    const at = grounded.findIndex((line) => line.some((said) => ground.includes(said)))
    const line = union(grounded[at] ?? [], [...ground, ...quoted])
    grounded.splice(at < 0 ? grounded.length : at, 1, line)
  }
  return grounded
}

/** What is only suspected is quoted, too, where it was asked for in so many words or has words of one's own death. */
const isPlain = ({ certainty }: DangerFinding, quoted: readonly Said[]): boolean =>
  certainty === 'plain' ||
  quoted.some((said) => hasGraveWord(said.raw) || (isAsked(said) && readAskedDanger(said.raw) !== null))

/** The encoder is sure of nonsense too often to be believed without a word for danger and the sentence’s own figure. */
const isBorneOut = ({ foundBy }: DangerFinding, quoted: readonly Said[]): boolean =>
  quoted.some((said) => said.isTyped || isDangerTalk(said, { byWords: foundBy !== 'encoder' }))
