import { expandContractions } from '../text/expand-contractions.js'
import { lowerFirst } from '../text/report-speech.js'
import { nameClinician, shiftSecondPerson } from '../text/shift-person.js'
import { toGerund } from '../text/verb-forms.js'
import type { StatementKind } from './statement.js'

export interface ClinicianWording {
  kind: StatementKind
  text: string
}

const future =
  /\b(?:this week|next (?:week|time|session|appointment|monday|tuesday|wednesday|thursday|friday|saturday|sunday|month|visit)|every (?:day|night|morning|week|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|tomorrow|tonight|(?:once|twice|\w+ times|\w+ minutes) (?:a|each|per) (?:day|week|night)|before (?:next|our next|we meet|bed)|between (?:now|sessions)|over the (?:weekend|next)|in (?:\w+|\d+) (?:days?|weeks?|months?)|for the next|until (?:we|next)|today$|homework|at bedtime|weekly|monthly|whenever)\b/i

const planVerb =
  /^(?:meet|keep|continue|increase|decrease|start|stop|schedule|check|see|call|coordinate|follow|plan|move|raise|lower|go up|go down|taper|refer|bump|switch|get (?:an?|some|your|labs)|order|send|reach out|talk (?:to|with)|touch base|hold|add|come back|stay (?:on|at)|cut|bring|pick|revisit|go)\b/i

const orderVerb =
  /\b(?:increas\w*|decreas\w*|rais\w*|lower\w*|start(?:ing)?|stop(?:ping)?|switch\w*|taper\w*|continu\w*|bump\w*|go(?:ing)? (?:up|down)|add(?:ing)?|hold(?:ing)?|stay(?:ing)? (?:on|at)|refill\w*|discontinu\w*|come off|cut)\b/i

const imperativeVerb =
  /^(?:please |also |just |then |so |and |maybe )*(?:try|keep|set|stand|put|go|call|write|practice|take|use|ask|track|bring|make|pick|let|turn|stay|check|notice|start|stop|continue|do|read|schedule|talk|tell|walk|text|move|spend|plan|log|rate|limit|avoid|hold|listen|reach|remember|wear|skip|drink|eat|sleep|get|give|come|have|cut|add|fill|complete|journal|meditate|breathe)\b(?! (?:you|your)\b)/i

const technique =
  /\b(?:automatic thoughts?|distortions?|thought records?|refram\w+|restructur\w+|evidence (?:for|against)|behavioral activation|exposure|hierarchy|core beliefs?|distress tolerance|tipp|wise mind|emotion regulation|opposite action|dear man|radical acceptance|diary cards?|chain analysis|mindful\w*|readiness|pros and cons|ambivalence|bilateral|reprocess\w*|safe place|calm place|values|defusion|acceptance|willingness|parts work|sleep hygiene|grounding|breathing|visualiz\w+|imagery|role.?play\w*|problem.?solv\w*|safety plan|speaker listener|empty chair|letter|validat\w+|psychoeducation|coping (?:skills?|cards?)|body scan|muscle relaxation|worry time|worksheet|catastrophiz\w*|all or nothing|black and white thinking|mind reading|five senses|scale of|genogram|timeline|boundar(?:y|ies)|relapse prevention|urge surfing|stimulus control)\b/i

const observation =
  /\b(?:eye contact|affect|tearful|crying|cried|teary|organized|disorganized|speaking|speech|talking (?:fast|quickly|slowly)|voice|shoulders|hands|face|fidget\w*|restless|relaxed|calmer|tense|tired|groomed|dressed|guarded|engaged|withdrawn|smil\w+|laugh\w*|brighter|flat|pressured|interrupt|jumped between|thinking is|insight|judgment|oriented|linear|unclench\w*|agitated|slowed|quiet\w*|soft|pacing|animated|lighter|irritable)\b/i

const assessmentWords =
  /\b(?:progress|improv\w+|consistent with|criteria|diagnos\w+|disorder|episode|believe (?:this|that|it|you)|symptoms (?:have|are)|i(?:'d| would) call (?:it|that|this)|looks like (?:this|a|the)|responding (?:well )?to|stable|worsen\w*|movement|setback|partial response|remission|risk (?:is|as|level))\b/i

const measureWords =
  /\b(?:blood pressure|bp|pulse|heart rate|weight|bmi|a1c|tsh|level|phq.?9|gad.?7|pcl.?5|audit|score)\b[^.]{0,40}\b(?:\d+|is|was|of)\b|\b\d+ over \d+\b|\b\w+ over (?:sixty|seventy|eighty|ninety)\b/i

/** What a sentence of the clinician contributes, in the third person; null for what does not belong in a note. */
export const wordClinician = (
  clean: string,
  context: { isLate: boolean; mentionsMedication: boolean },
): ClinicianWording | null => {
  const text = expandContractions(clean)
    .replace(/[.!?…]+$/, '')
    .trim()
  if (text.split(' ').length < 3) return null
  for (const read of [
    readMeasure,
    readVisit,
    readProposal,
    readObservation,
    readReflection,
    readAssessment,
    readImperative,
    readTeaching,
  ]) {
    const wording = read(text, context)
    if (wording !== null) return wording
  }
  return null
}

type Reader = (
  text: string,
  context: { isLate: boolean; mentionsMedication: boolean },
) => ClinicianWording | null

const ofClient = (text: string): string => nameClinician(shiftSecondPerson(lowerFirst(text)))
const lowerWe = (text: string): string => nameClinician(shiftSecondPerson(text, { isNamed: true }))

const readMeasure: Reader = (text) => {
  if (
    !measureWords.test(text) ||
    !/\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)\b/i.test(
      text,
    )
  )
    return null
  if (/\b(?:will|would|want|check|get|order|next|before|should|let)\b/i.test(text)) return null
  return { kind: 'measure', text: ofClient(text) }
}

const readVisit: Reader = (text) => {
  const match =
    /^(?:(?:and|so|great|good|okay|then|alright)[,. ]+)*(?:I will |we will |I would like to |let us )?see (?:you|each other)(?: both| all)?(?: back| again)? (.+)$/i.exec(
      text,
    )
  if (match !== null && !/^(?:later|soon|then)\b/i.test(match[1] ?? ''))
    return { kind: 'plan', text: `next appointment ${match[1] ?? ''}` }
  const same =
    /^(?:(?:so|and) )?((?:same time|our next (?:one|session|appointment)|next (?:one|session|appointment|visit)).*)$/i.exec(
      text,
    )
  return same === null ? null : { kind: 'plan', text: ofClient(same[1] ?? '') }
}

const proposal =
  /^(?<lead>(?:[^,]{2,60}, )?)(?:(?:so|and|then|also|okay|great|now|good) )*(?:(?<us>let us|let me|we will|we would|we are going to|we can|we should|we need to)|(?<me>I will|I am going to|I would like to|I want to|I would|I am|I can|I plan to)|(?<you>I would like you to|I want you to|I need you to|I am asking you to|I would suggest you|you will|you are going to|your homework is to|your homework for (?:this|the) week is to|the homework is to|homework is to|the plan is to|could you|can you)|(?<advise>I (?:would )?(?:recommend|suggest|propose|encourage you to)))(?: also| just| please| both)* (?<rest>.+)$/i

const readProposal: Reader = (text, { isLate, mentionsMedication }) => {
  const groups = proposal.exec(text)?.groups
  if (groups === undefined) return null
  const { us, me, you, advise, rest = '' } = groups
  const lead = groups['lead'] ?? ''
  if (
    /^(?:sorry|glad|not sure|wondering|curious|thinking|hearing|note|ask|ask you|check in|slow|come back|be honest|say|know|hear more|understand|get your)\b/i.test(
      rest,
    )
  )
    return null
  if (lead !== '' && /\b(?:if (?:it|that|you)|okay|ha|right|earlier)\b/i.test(lead)) return null
  const isOrder = mentionsMedication && orderVerb.test(rest)
  const isPlan = isOrder || planVerb.test(rest) || future.test(text) || (isLate && you !== undefined)
  const kind: StatementKind = isOrder ? 'order' : isPlan ? 'plan' : 'intervention'
  const [verb = '', ...others] = rest.split(' ')
  const opening = lead === '' ? '' : lowerWe(lowerFirst(lead))
  const doing = lowerWe([toGerund(verb.toLowerCase()), ...others].join(' '))
  if (advise !== undefined)
    return {
      kind: isPlan ? kind : 'intervention',
      text: `${opening}clinician recommended ${lowerWe(/ing$/.test(verb) || !/^[a-z]+$/.test(verb) || /^(?:an?|the|that)$/.test(verb) ? rest : doing)}`,
    }
  if (you !== undefined)
    return isPlan
      ? { kind, text: `${opening}client to ${lowerWe(rest)}` }
      : { kind, text: `${opening}clinician invited client to ${lowerWe(rest)}` }
  if (us !== undefined) {
    if (us.toLowerCase() === 'let me' && !/^(?:teach|show|explain|walk|share)/i.test(rest)) return null
    if (us.toLowerCase() === 'let me')
      return {
        kind: 'intervention',
        text: `${opening}clinician offered to ${lowerWe(rest).replace(/^(teach|show|walk) them/, '$1 client')}`,
      }
    return isPlan
      ? { kind, text: `${opening}plan to ${lowerWe(rest)}` }
      : { kind, text: `${opening}clinician proposed ${doing}` }
  }
  if (me !== undefined && /^I am$/i.test(me)) return null
  if (me !== undefined && /^I would$/i.test(me))
    return isPlan ? { kind, text: `${opening}clinician recommended ${doing}` } : null
  return isPlan
    ? {
        kind,
        text: `${opening}clinician ${/^I will|^I am going/i.test(me ?? '') ? 'will' : 'plans to'} ${lowerWe(rest)}`,
      }
    : { kind, text: `${opening}clinician proposed ${doing}` }
}

const readObservation: Reader = (text) => {
  if (!observation.test(text)) return null
  const noticed = /^(?:I (?:notice|noticed|can see|could see|see|saw|can hear|hear)(?: that)?) (.+)$/i.exec(
    text,
  )
  if (noticed !== null)
    return { kind: 'observation', text: `clinician observed that ${ofClient(noticed[1] ?? '')}` }
  if (/^(?:you (?:are|were|seem|look|appear|sound|have)|your \w+|it is hard to)\b/i.test(text))
    return { kind: 'observation', text: `clinician observed that ${ofClient(text)}` }
  return null
}

const readReflection: Reader = (text) => {
  const match =
    /^(?:so |and )*(?:(?:it |that )?sounds like|what I am hearing is(?: that)?|I am hearing(?: that)?|I hear(?: that)?|it seems like|I wonder (?=if|whether))(?: maybe)? ?(.+)$/i.exec(
      text,
    )
  if (match === null) return null
  if (assessmentWords.test(text) && /\b(?:disorder|episode)\b/i.test(text))
    return { kind: 'assessment', text: `clinician stated that it sounds like ${ofClient(match[1] ?? '')}` }
  const rest = match[1] ?? ''
  return rest.split(' ').length < 4
    ? null
    : {
        kind: 'intervention',
        text: `clinician reflected that ${ofClient(rest)}`
          .replace('reflected that if', 'wondered if')
          .replace('reflected that whether', 'wondered whether'),
      }
}

const readAssessment: Reader = (text) => {
  if (/\b(?:goals?|objectives?|treatment plan)\b/i.test(text) && /\b(?:is|are|was) to\b/i.test(text))
    return { kind: 'goal', text: ofClient(text) }
  if (!assessmentWords.test(text) || /^(?:that is|it is|this is) (?:real|great|good|such|a lot)/i.test(text))
    return null
  const thought = /^(?:I (?:think|believe|would say|feel)(?: that)?) (.+)$/i.exec(text)
  return { kind: 'assessment', text: `clinician stated that ${ofClient(thought?.[1] ?? text)}` }
}

const readImperative: Reader = (text, { isLate, mentionsMedication }) => {
  const lead =
    /^((?:(?:for|over|during) (?:this|the|next|coming)[^,:]{0,30}|this week|today|every \w+|if [^,]{3,60}|when [^,]{3,60})[,:]? )(.+)$/i.exec(
      text,
    )
  const body = (lead?.[2] ?? text)
    .replace(/^(?:so|and|please|also|then|just)[, ]+/i, '')
    .replace(/^please (?:also )?/i, '')
  if (!imperativeVerb.test(body)) {
    return lead !== null && future.test(text) && !/\b(?:I|you)\b/.test(body)
      ? {
          kind: 'plan',
          text: `${lowerFirst(lead[1] ?? '').trim()}${/[,:]\s*$/.test(lead[1] ?? '') ? '' : ','} ${ofClient(body)}`,
        }
      : null
  }
  if (
    /^(?:take your time|stay with|tell me|let me|go ahead|keep going|do not worry|notice (?:that|what)|come on|take care|take a)/i.test(
      body,
    )
  )
    return null
  const opening = lead === null ? '' : `${lowerWe(lowerFirst((lead[1] ?? '').trim()).replace(/[,:]$/, ''))}, `
  const words = lowerWe(lowerFirst(body).replace(/^also /, ''))
  if (isLate || future.test(text))
    return {
      kind: mentionsMedication && orderVerb.test(body) ? 'order' : 'plan',
      text: `${opening}client to ${words}`,
    }
  return technique.test(text)
    ? { kind: 'intervention', text: `${opening}clinician asked client to ${words}` }
    : null
}

/** General truths that the clinician teaches, and techniques that they name. */
const readTeaching: Reader = (text) => {
  const words = text.split(' ').length
  if (words > 40) return null
  if (
    technique.test(text) &&
    !/^(?:that|it|this) (?:is|was) (?:a |an )?(?:great|good|nice|wonderful|real)/i.test(text)
  ) {
    return /^(?:that|it|this|which)\b/i.test(text) && words < 6
      ? null
      : { kind: 'intervention', text: `clinician discussed that ${ofClient(text)}` }
  }
  const teaches =
    /\b(?:brain|body|anxiety|panic|depression|caffeine|alcohol|sleep|grief|trauma|avoid\w*|thoughts?|feelings?|emotions?|worry|cravings?|urges?|anger|habits?|mood)\b/i
  const isGeneral =
    !/\b(?:I|we)\b/.test(text) &&
    /^(?:[a-z]+(?:ing)?|the \w+|when|avoiding|people|it) (?:\w+ ){0,6}(?:is|are|can|peaks?|gives?|teaches|makes?|comes?|goes|learns?|tells?|works?|stays?|gets?|grows?|helps?|keeps?)\b/i.test(
      text,
    )
  return teaches.test(text) && isGeneral && words > 6
    ? { kind: 'intervention', text: `clinician explained that ${ofClient(text)}` }
    : null
}
