import { isIrregularPast } from '../../text/verb-forms.js'
import { assessmentWords, measureWords, observation } from '../talk/clinician-patterns.js'
import { hasNumber, ofClient, ofThem, type Reader } from '../statement/clinician-wording.js'

export const readMeasure: Reader = (text, { tellsMeasure }) => {
  if (!(measureWords.test(text) || tellsMeasure === true) || !hasNumber(text)) return null
  if (
    /^if\b|\bscale (?:of|from)\b|\b(?:how|will|would|want|check|get|order|next|before|should|let)\b/i.test(
      text,
    )
  )
    return null
  const told = ofClient(
    fromFirstNumber(text.replace(/^(?:I (?:looked|am looking) at (?=your)|that is an? )/i, '')),
  )
  // A sentence that begins with the client would be theirs.
  return { kind: 'measure', text: told.startsWith('client ') ? `clinician noted ${told}` : told }
}

/** "You filled in the forms, your PHQ nine is fourteen": what is measured begins with the clause that has a number. */
const fromFirstNumber = (text: string): string => {
  const clauses = text.split(/, (?:but |and )?(?=\w)/)
  const first = clauses.findIndex(hasNumber)
  // "The questionnaire you filled out, the PCL, that is a fifty one": what it was of stands before it.
  const told = /^(?:that|it) (?:is|was) (?:an? )?(?<result>.+)$/i.exec(clauses[first] ?? '')?.groups?.[
    'result'
  ]
  const measured = clauses[first - 1]
  if (told !== undefined && measured !== undefined && /^(?:the|your) (?:\w+ ){0,2}\w+$/i.test(measured))
    return `${measured}: ${told}${text.slice(text.indexOf(told) + told.length)}`
  return first <= 0 ? text : text.slice(text.indexOf(clauses[first] ?? ''))
}

/** As a status is written: "good eye contact, thinking more organized than last time". */
const briefly = (text: string): string =>
  listTraits(text)
    .replace(
      /^(?:client is|client has been|they are) making (?=(?:good|poor|better|some|more) eye contact)/i,
      '',
    )
    .replace(
      /\b(?:client's|their) (\w+) (?:is|are|was|were|seems?|looks?|sounds?) (?!not\b|no\b|(?:\w+ )?\w+ing\b)/gi,
      '$1 ',
    )
    .replace(/\b(?:pretty|really|a lot(?! of)) (?=\w)/gi, '')
    .replace(/, and (?:I|clinician) (?:think|am|is|thinks?)\b.*$/i, '')

/** What joins one thing that was seen with the next. */
const next = '(?<link>,? and(?: now)?|,? but|,)'
const adverb = '(?:(?:also|still|even|really|just|now|then) )*'

/** "client is tearful, they are speaking quietly, and they looked away": one subject for all. */
const listTraits = (text: string): string =>
  text
    .replace(new RegExp(`${next} they ${adverb}(?:are|were) (?=\\w)`, 'g'), '$<link> ')
    .replace(
      new RegExp(
        `${next} they ${adverb}(?:look|looked|seem|seemed|sound|sounded) (?=(?!at\\b|like\\b|away\\b|down\\b|up\\b|right\\b|over\\b)\\w+(?:[,.]|$| and\\b))`,
        'g',
      ),
      '$<link> ',
    )
    .replace(new RegExp(`${next} they have (?=\\w+(?:ed|en|ne)\\b)`, 'g'), '$<link> has ')
    .replace(new RegExp(`${next} they (?=(?<verb>[a-z]+)\\b)`, 'g'), (whole, link: string, verb: string) =>
      isIrregularPast(verb) || /[^e]ed$/.test(verb) ? `${link} ` : whole,
    )
    // "A and B, and C" has one "and" too many.
    .replace(
      /^(?<first>[^,]+?),? and (?<second>[^,]+), and (?<third>[^,]+)$/,
      '$<first>, $<second>, and $<third>',
    )

export const readObservation: Reader = (text) => {
  const person = /^I (?:see|have|notice) (?:someone|somebody|a (?:man|woman|person)) (?<what>.+)$/i.exec(text)
    ?.groups?.['what']
  if (person !== undefined && observation.test(text))
    return {
      kind: 'observation',
      text: `clinician noted client is ${briefly(ofThem(person)).replace(/(?<=^|, |and )(?:who|that|they) (?:is|are) /g, '')}`,
    }
  const noticed =
    /^(?:I (?:notice|noticed|can see|could see|see|saw|can hear|could hear)(?: that)?) (?<what>.+)$/i.exec(
      text,
    )
  // "I can see it's still close, you're tearing up."
  const what = noticed?.groups?.['what']?.replace(/^(?:it|that|this)\b[^,]*, (?=you\b)/i, '')
  if (
    what !== undefined &&
    !/^(?:it|that|this)\b/i.test(what) &&
    (observation.test(text) || what.startsWith('both participants'))
  )
    return { kind: 'observation', text: `clinician noted ${briefly(ofClient(what))}` }
  if (!observation.test(text)) return null
  const seen = text.replace(/,? (?:and |but )?look at you(?: now)?,? (?=you)/i, ', now ')
  return /^(?:when you (?:first )?(?:came in|got here|sat down|walked in)\b.*? )?(?:you (?:even |also |just )?(?:are|were|had|seem|did (?:look|seem|sound)|look|looked|appear|sound|have|kept|sat|came in|laughed|smiled|startled|cried|stayed|jumped|teared|really)|your \w+|it is hard to)\b/i.test(
    seen,
  )
    ? { kind: 'observation', text: `clinician noted ${briefly(ofClient(seen))}` }
    : null
}

/** What the clinician calls it, or how they think that it goes. */
const judgement =
  /^(?:I (?:think|believe|would say)|this|your|what you|my impression|you meet|it is|the) (?:.* )?(?:schizo\w+|bipolar|post[- ]?traumatic|ptsd|major depress\w+|postpartum|gambling|generalized anxiety|panic disorder|adhd|ocd|adjustment|grief)\b|^(?:it|this|that) (?:looks|sounds|seems) like (?:.* )?(?:depress\w+|anxiety|stress|ptsd|trauma\w*|panic|adhd|ocd|bipolar|grief|mania|psychosis|withdrawal|burnout)\b|^I (?:think|believe|would say) (?:.* )?(?:working|helping|improving|getting (?:better|worse)|about the same|important connection)\b/i

/** "I think the attention is better in the morning." */
const course =
  /^I (?:think|believe|would say) (?:that )?(?:the|your) (?:\w+ ){1,3}(?:is|are|has|have|was|gets?|got|seems?) (?:\w+ ){0,3}(?:better|worse|improv\w+|stronger|weaker|lower|higher|steadier|milder|feeding|driving|because of|connected|linked|tied|part of)\b|^I (?:think|believe|would say) (?:that )?you are (?:moving|getting|making|doing (?:better|worse)|on track|closer|further|stuck)\b/i

const safest = /^I (?:think|believe) (?<what>(?:the|what) [^,]{3,40} is (?:for|to)\b.+)$/i

export const readAssessment: Reader = (text) => {
  const advice = safest.exec(text)?.groups?.['what']
  if (advice !== undefined) return { kind: 'plan', text: `clinician stated that ${ofClient(advice)}` }
  const called = /^I would call (?:that|it|this) (?<what>.+)$/i.exec(text)?.groups?.['what']
  if (called !== undefined)
    return { kind: 'assessment', text: `clinician described this as ${ofClient(called)}` }
  if (/\b(?:goals?|objectives?|treatment plan)\b.{0,40}\b(?:is|are|was)\b/i.test(text))
    return { kind: 'goal', text: ofClient(text.replace(/, remember,/i, '')) }
  if (
    !(assessmentWords.test(text) || judgement.test(text) || course.test(text)) ||
    /^(?:that is|it is|this is) (?:real|great|good|such|a lot)/i.test(text)
  )
    return null
  if (/^my impression is\b/i.test(text)) return { kind: 'assessment', text: ofClient(text) }
  const thought = /^(?:I (?:think|believe|would say|feel)(?: that(?! is\b| was\b))?) (?<what>.+)$/i.exec(text)
    ?.groups?.['what']
  return {
    kind: 'assessment',
    text: `clinician stated that ${ofClient(thought ?? text).replace(/^that is\b/, 'this is')}`,
  }
}
