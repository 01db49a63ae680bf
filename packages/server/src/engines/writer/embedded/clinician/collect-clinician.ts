import { readAsked } from '../talk/ask-indirectly.js'
import { findRuler, joinRuler, opensRuler, wordRuler } from './ask-ruler.js'
import { expandContractions } from '../../text/expand-contractions.js'
import { addStatement, extendLast, type Gathering } from '../statement/gathering.js'
import { nameHolder } from '../plan/name-holder.js'
import { nameMeasure, tellsMeasure } from '../client/judge-wording.js'
import { nameAskedMedicine, nameMedicine, noteMedicines } from '../medicines/name-medicine.js'
import { readChart } from './read-chart.js'
import { readRecall } from './read-recall.js'
import { addMissed } from '../medicines/read-missed.js'
import type { Spoken } from '../talk/read-session.js'
import { wordClinician } from './report-clinician.js'
import { shiftSecondPerson } from '../../text/shift-person.js'
import { countWords } from '../../text/tokenize-words.js'
import { readGoalAsked } from './read-goal.js'
import { isProposed, readMap } from './read-exercise.js'
import { future, technique } from '../talk/clinician-patterns.js'
import { readNextVisit, readVisitQuestion } from '../plan/read-visit.js'
import { findTopics } from '../talk/topics.js'

/** From here on plans are made, as a part of the session. */
const lateShare = 0.6

/** What a sentence of the clinician adds to the note. */
export const addClinician = (gathering: Gathering, spoken: Spoken): void => {
  const mentionsMedication = noteMedicines(gathering, spoken)
  const isLate = spoken.order > gathering.session.sentences.length * lateShare
  addGoalAsked(gathering, spoken)
  if (addMissed(gathering, spoken)) return
  if (spoken.asks) {
    const visit = isLate
      ? (readVisitQuestion(spoken.clean) ?? readOffer(gathering, spoken) ?? readRequest(gathering, spoken))
      : null
    if (visit === null) addTherapeuticQuestion(gathering, spoken)
    else
      addStatement(
        gathering,
        'plan',
        spoken,
        { text: visit, frame: null, items: [spoken.item] },
        [],
        spoken.clean,
      )
    return
  }
  if (addMap(gathering, spoken) || addHolder(gathering, spoken)) return
  if (addQualifier(gathering, spoken) || addFound(gathering, spoken)) return
  for (const clause of splitClauses(gathering.names.hide(spoken.clean))) {
    const under = gathering.intervention
    const isWithin = under !== null && under.items.includes(spoken.item)
    const wording = wordClinician(clause, {
      isLate: isLate && !isWithin,
      mentionsMedication,
      tellsMeasure: tellsMeasure(spoken),
      isExercise: isWithin && isProposed(under.text),
      followsPlan: followsPlan(gathering, spoken),
      isCue: isUnderWay(gathering, spoken),
      isUnplanned: isUnplanned(gathering),
      sumsUp: /^\W*(?:okay,? |right,? |yeah,? |and )*so\b/i.test(spoken.said),
    })
    if (wording === null || isFarewell(gathering, clause)) continue
    if (leavesTooMuchOpen(wording.text)) {
      // "Let's practice it for three minutes": what was proposed before is done now.
      if (wording.kind === 'intervention' && under !== null)
        gathering.intervention = { ...under, items: [...new Set([...under.items, spoken.item])] }
      continue
    }
    if (wording.kind === 'plan' && isDoneAtOnce(gathering, spoken, wording.text)) continue
    const practised = wording.kind === 'plan' ? namePractised(gathering, wording.text) : null
    const measured =
      wording.kind === 'measure' ? nameMeasure(wording.text, spoken) : (practised?.text ?? wording.text)
    const isPlanned = wording.kind === 'order' || wording.kind === 'plan'
    const named =
      (isPlanned ? nameAskedMedicine(gathering, wording.text, spoken) : null) ??
      (wording.kind === 'order' ? nameMedicine(gathering, wording.text, spoken.item) : null)
    const statement = addStatement(
      gathering,
      wording.kind,
      spoken,
      {
        text: named?.text ?? measured,
        frame: null,
        items: [...(named === null ? (practised?.items ?? []) : [named.item]), spoken.item],
      },
      clause === spoken.clean ? spoken.topics : findTopics(clause),
      clause,
    )
    if (wording.kind === 'intervention') gathering.intervention = statement
  }
}

/** What a test of memory gave, and what the chart says. */
const addFound = (gathering: Gathering, spoken: Spoken): boolean => {
  const recall = readRecall(spoken, gathering.session.sentences)
  const chart = recall === null ? readChart(spoken, (text) => gathering.names.hide(text)) : null
  if (recall !== null)
    addStatement(gathering, 'observation', spoken, { ...recall, frame: null }, ['focus'], spoken.clean)
  else if (chart !== null)
    addStatement(
      gathering,
      'report',
      spoken,
      { text: chart, frame: null, items: [spoken.item] },
      spoken.previous?.topics ?? [],
      spoken.clean,
    )
  return recall !== null || chart !== null
}

/** "I'd like to check your memory. Can you tell me the date?": it is done at once. */
const isDoneAtOnce = ({ session }: Gathering, { item, order }: Spoken, text: string): boolean => {
  const next = session.sentences[order + 1]
  return (
    next?.item === item &&
    next.asks &&
    /^(?:plan to |clinician (?:will|plans to|would like to) )?(?:check|test|ask|look at|go over|go through)\b/i.test(
      text,
    ) &&
    !future.test(text)
  )
}

/** Items for which an exercise goes on. */
const exerciseItems = 9

/** "Keep the phone in your hand": within an exercise that was begun, and before any plan, it is said for now. */
const isUnderWay = (gathering: Gathering, { item }: Spoken): boolean =>
  gathering.intervention !== null &&
  isProposed(gathering.intervention.text) &&
  item - (gathering.intervention.items.at(-1) ?? 0) <= exerciseItems &&
  isUnplanned(gathering)

const isUnplanned = ({ statements }: Gathering): boolean =>
  !statements.some(({ kind, role }) => kind === 'plan' && role === 'clinician')

const followsPlan = ({ statements }: Gathering, { item }: Spoken): boolean => {
  const before = statements.at(-1)
  return before?.kind === 'plan' && before.role === 'clinician' && before.items.includes(item)
}

/** "Try it at work": what was practised just before. */
const namePractised = (
  { intervention }: Gathering,
  text: string,
): { text: string; items: readonly number[] } | null => {
  const skill = technique.exec(intervention?.text ?? '')?.[0]
  const named = text.replace(
    /^(?<lead>(?:.*, )?client to (?:try|practice|use|keep doing|do)) it\b/i,
    `$<lead> ${skill ?? ''}`,
  )
  return intervention === null || skill === undefined || named === text || text.includes(skill)
    ? null
    : { text: named, items: intervention.items }
}

/** "Would you call your sister this week?": a step that is asked for, whatever comes of it. */
const readRequest = ({ names }: Gathering, { clean }: Spoken): string | null => {
  const step =
    /^(?:(?:and|so|then|okay)[, ]+)*(?:would|will|can|could) you (?:be (?:willing|able) to )?(?<step>(?:call|text|write|practice|use|track|bring|pick|log|schedule|keep|set|put|try|ask|limit)\b[^?]+?)[?.\s]*$/i.exec(
      names.hide(clean),
    )?.groups?.['step']
  const isInSession = therapeutic.test(clean) && !future.test(clean)
  return step === undefined ||
    isInSession ||
    /\b(?:me|it|that|this|now)$|\bI\b/.test(step) ||
    countWords(step) < 3
    ? null
    : `clinician asked client to ${shiftSecondPerson(expandContractions(step), { isNamed: true })}`
}

/** "I'd like to call your school, is that alright?": a plan that is asked leave for. */
const readOffer = ({ names }: Gathering, { clean }: Spoken): string | null => {
  const offer =
    /^(.+?),? (?:is that (?:okay|alright|all right|fine)|if (?:that's|you're) (?:okay|alright|fine)(?: with (?:you|that))?|would that be (?:okay|alright)|(?:does|how does) that (?:work|sound)).*$/i.exec(
      clean,
    )?.[1]
  const wording =
    offer === undefined ? null : wordClinician(names.hide(offer), { isLate: true, mentionsMedication: false })
  return wording?.kind === 'plan' ? wording.text : null
}

/** "Major depressive disorder. Moderate. Now improving.", "Last month it was 16." */
const addQualifier = (gathering: Gathering, spoken: Spoken): boolean => {
  const before = gathering.statements.at(-1)
  const text = expandContractions(spoken.clean).replace(/[.!?…]+$/, '')
  const isCourse =
    /^(?:now )?(?:mild|moderate|severe|recurrent|single episode|in (?:partial )?remission|improving|stable|worsening)$/i.test(
      text,
    )
  const isEarlier =
    /^(?:last (?:month|time|week|visit)|before that|in \w+) it was (?:an? )?\w+(?: over \w+)?$/i.test(text) ||
    /^it was (?:an? )?\w+(?: over \w+)? (?:last (?:month|time|week|visit)|before|in \w+)$/i.test(text)
  if (!(isCourse && before?.kind === 'assessment') && !(isEarlier && before?.kind === 'measure')) return false
  return extendLast(gathering, spoken, {
    link: isCourse ? ', ' : '; ',
    text: text.charAt(0).toLowerCase() + text.slice(1),
  })
}

const therapeutic =
  /\b(?:evidence|balanced way|more balanced|fairer|worst (?:case|that could)|alternative|letter|picture|imagine|first thought|mean about you|scale|zero to|write down what|would you (?:tell|say to) (?:her|him|them|a \w+)|best friend|friend was in)\b/i

/** A question is an intervention when it names a technique; others are only the way to an answer. */
const addTherapeuticQuestion = (gathering: Gathering, spoken: Spoken): void => {
  const clean = gathering.names.hide(spoken.clean)
  if (addRuler(gathering, spoken) || !therapeutic.test(clean)) return
  const text = wordTherapeuticQuestion(clean)
  if (text === null) return
  const wording = { text, frame: null, items: [spoken.item] }
  gathering.intervention = addStatement(gathering, 'intervention', spoken, wording, [], clean)
}

const addMap = (gathering: Gathering, spoken: Spoken): boolean => {
  const text = readMap(gathering.names.hide(spoken.clean), spoken.previous?.clean ?? '')
  if (text === null) return false
  const wording = { text, frame: null, items: [spoken.item] }
  gathering.intervention = addStatement(gathering, 'intervention', spoken, wording, [], spoken.clean)
  return true
}

const addHolder = (gathering: Gathering, spoken: Spoken): boolean => {
  const step = nameHolder(spoken, gathering.session)
  if (step === null) return false
  addStatement(gathering, 'plan', spoken, { ...step, frame: null }, [], spoken.clean)
  return true
}

const addGoalAsked = (gathering: Gathering, spoken: Spoken): void => {
  // No question mark is heard after "… three times a week where are we".
  if (!spoken.asks && !/\b(?:where are we|how (?:did|is) (?:it|that) go(?:ing)?)\W*$/i.test(spoken.clean))
    return
  const text = readGoalAsked(gathering.names.hide(spoken.clean))
  const isTold = gathering.statements.some(({ kind, role }) => kind === 'goal' && role === 'clinician')
  if (text !== null && !isTold)
    addStatement(
      gathering,
      'goal',
      spoken,
      { text, frame: null, items: [spoken.item] },
      ['goal'],
      spoken.clean,
    )
}

const addRuler = (gathering: Gathering, spoken: Spoken): boolean => {
  const ruler = findRuler(spoken.clean)
  if (ruler === null) return false
  const joined = joinRuler(gathering.statements, ruler)
  const before = joined === null ? undefined : gathering.statements[joined.index]
  if (joined !== null && before !== undefined)
    gathering.statements[joined.index] = {
      ...before,
      text: joined.text,
      items: [...new Set([...before.items, spoken.item])],
    }
  else if (opensRuler(ruler))
    gathering.intervention = addStatement(
      gathering,
      'intervention',
      spoken,
      { text: wordRuler(ruler), frame: null, items: [spoken.item] },
      [],
      '',
    )
  return true
}

const wordTherapeuticQuestion = (clean: string): string | null => {
  if (/^(?:could|can|would) you\b/i.test(clean))
    return wordClinician(clean, { isLate: false, mentionsMedication: false })?.text ?? null
  const { matter, indirect, isOpen } = readAsked(clean)
  const isRating = /zero|scale|how (?:much|strongly)/i.test(clean)
  return isOpen && indirect !== null && matter === null && !isRating
    ? `clinician asked ${indirect.replace(/\bthey\b/, 'client')}`
    : null
}

/** Longer than this, a clause of the clinician is several that were heard as one. */
const heardTogetherMax = 18

/** "… at two o'clock if your mood drops, call the clinic, or call 988": what to do if, which is a sentence of its own. */
const contingency =
  /^(?<before>.{15,}?)[,.]?\s+(?<then>if (?:your|you|any|the|things|it|those|thoughts)\b.*\b(?:call|text|dial|go to)\b.+)$/i

const splitClauses = (text: string): string[] => {
  const parts = contingency.exec(text)?.groups
  if (parts === undefined) return /^if\b/i.test(text) ? [text] : splitProposals(text)
  return [...splitProposals(parts['before'] ?? ''), parts['then'] ?? '']
}

/** "… before bed if it has not improved we will talk about …": the condition is that of what comes after it. */
const conditional = /^(?<before>.+?) (?<what>if .{5,80}?),? (?<then>(?:we|I)(?:'ll| will)\b.+)$/i

const splitRunOn = (clause: string): string[] => {
  const parts = conditional.exec(clause)?.groups
  return parts === undefined
    ? clause.split(/ (?=(?:we|I)(?:'ll| will)\b|let's )/i)
    : [parts['before'] ?? '', `${parts['what'] ?? ''}, ${parts['then'] ?? ''}`]
}

const splitProposals = (text: string): string[] =>
  text
    .split(
      /(?:,? (?:so|and|but) (?=(?:with your permission )?(?:today )?(?:I|we)(?:'d|'ll|'m going| will| would| want|'m giving| can (?:give|send|call|write|refer|get))\b))|(?:, (?=(?:we'll|let's|I'll)\b))|(?:,?(?: so| and)? (?=we (?:leave|keep|stop|start|raise|lower|add|stay) )(?<!\b(?:did|do|should|could|can|would|where|how|when|if|what|shall|that|as) ))|(?:, and (?=the [a-z]+ stays?\b))|(?:, so (?=(?:this is|that's|it's|let's|the diagnosis)\b))|(?:, and (?=let's\b))|(?:, and (?=(?:talk to|call|ask|see|email|tell) (?:your|the|doctor|dr)\b))|(?:,? (?:and )?(?=your score (?:is|was|went)\b))|(?:,? (?:and )?(?=(?:your )?(?:blood pressure|pulse|weight)(?:'s| is| was|) (?:\d|one|two|sixty|seventy|eighty|ninety)))|(?:,(?: or| and)? (?=call (?:the clinic|the office|us|me|988|911)\b))|; /i,
    )
    .flatMap((clause) => (countWords(clause) > heardTogetherMax ? splitRunOn(clause) : [clause]))
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')

/** A visit that was set longer ago than this was set in passing. */
const farewellStatements = 12

/** Once the next visit is set, people see each other out: "Take the stairs carefully". */
const isFarewell = ({ statements }: Gathering, clause: string): boolean =>
  statements
    .slice(-farewellStatements)
    .some(({ kind, text }) => kind === 'plan' && text.startsWith('next appointment')) &&
  findTopics(clause).every((topic) => topic === 'mood') &&
  !future.test(clause) &&
  !/^if\b.*\b(?:call|text|dial|go to)\b|\b(?:988|log|diary|journal|worksheet|pill ?box|pill bottles?)\b|^(?:and )?(?:I (?:want|'d like|would like)|I'll|I will|let's|we'll)\b/i.test(
    clause,
  ) &&
  !technique.test(clause) &&
  readNextVisit(clause) === null

/** "Plan to keep that": what it is about was said elsewhere. */
const leavesTooMuchOpen = (text: string): boolean =>
  /^(?:plan to|clinician (?:will|plans to)) (?:look at|(?:plan on )?talk(?:ing)? about|come back to|go over|revisit|give client) (?:it|that|this)\b/i.test(
    text,
  ) ||
  // "…, we'll talk about": the turn was cut there.
  /\bplan to (?:talk|think|speak|see) about$|\b(?:the|an?|and|or|of)$/i.test(text) ||
  (countWords(text) < 4 && !text.startsWith('next appointment')) ||
  /\bkeep an eye on (?:it|that)$|^(?:plan to|clinician will) (?:\w+ ){1,2}(?:her|him)(?: \w+)?$/i.test(
    text,
  ) ||
  (/^clinician proposed (?:\w+ )?\w+ing (?:it|that|this)\b/i.test(text) && !technique.test(text)) ||
  /^(?:[^,]+, )?(?:plan to|client to|clinician (?:will|plans to|proposed|recommended)) \w+(?: (?:it|that|this|there|here|them|with|to|at|in|on|off|out|away|back|now|so|going|up|for now|together|one|down))*$/i.test(
    text,
  )
