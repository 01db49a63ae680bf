import { findMedications } from '../../lexicon/medications.js'
import { expandContractions } from '../text/expand-contractions.js'
import { hasNegation } from '../text/find-negation.js'
import { findNumbers } from '../text/find-numbers.js'
import { lowerFirst } from '../text/report-speech.js'
import { shiftFirstPerson } from '../text/shift-person.js'
import { countWords, tokenizeWords } from '../text/tokenize-words.js'
import { readAsked } from './ask-indirectly.js'
import { isRiskQuestion, type RiskReading } from './assess-risk.js'
import type { NameHider } from './hide-names.js'
import { readAnswer } from './read-answer.js'
import type { Session, Spoken } from './read-session.js'
import {
  isAnaphoric,
  isFullClause,
  wordAnswer,
  wordQuote,
  wordReport,
  type Wording,
} from './report-client.js'
import { wordClinician } from './report-clinician.js'
import { resolvePronoun } from './resolve-pronoun.js'
import { nameMeasure, saysNothing } from './judge-wording.js'
import { isResponseTo } from './read-response.js'
import { scoreStatement } from './score-statement.js'
import type { Statement, StatementKind } from './statement.js'
import { findTopics, isChatter, isFigure, isMachineTalk, type Topic } from './topics.js'

/** Everything of the session that could stand in a note, in the order in which it was said. */
export const collectStatements = (session: Session, risk: RiskReading, names: NameHider): Statement[] => {
  const collector = makeCollector(session, risk, names)
  for (const spoken of session.sentences) {
    if (
      risk.consumed.has(spoken.order) ||
      isMachineTalk(spoken.said) ||
      isChatter(spoken.said) ||
      isFigure(spoken.said)
    )
      continue
    if (isPleasantry(spoken)) continue
    if (spoken.role === 'clinician') collector.addClinician(spoken)
    else collector.addClient(spoken)
  }
  return collector.statements
}

/** An answer to "How was your weekend?" that is about nothing clinical. */
const isPleasantry = ({ question, topics }: Spoken): boolean =>
  question !== null &&
  /\b(?:your weekend|your trip|the trip|your holiday)\b/i.test(question.clean) &&
  topics.every((topic) => everydayTopics.has(topic))

const everydayTopics: ReadonlySet<Topic> = new Set([
  'relationship',
  'social',
  'stressor',
  'strength',
  'progress',
])

/** Style: one or two; risk has its own. */
const quotesMax = 2

const makeCollector = (session: Session, risk: RiskReading, names: NameHider) => {
  const statements: Statement[] = []
  let intervention: Statement | null = null
  let lastMedication: { name: string; item: number; count: number } | null = null
  const answered = new Set<number>()

  const push = (
    kind: StatementKind,
    spoken: Spoken,
    wording: Wording,
    topics: readonly Topic[],
    said: string,
  ): void => {
    const draft: Statement = {
      kind,
      order: spoken.order,
      items: [...new Set(wording.items)].toSorted((a, b) => a - b),
      role: spoken.role,
      topics,
      asked: spoken.question?.topics ?? [],
      text: wording.text,
      frame: wording.frame,
      bare: wording.bare ?? null,
      score: 0,
      isMandatory: false,
    }
    statements.push(scoreStatement(draft, said, session))
  }

  const noteMedications = (spoken: Spoken): boolean => {
    const found = spoken.medicines
    for (const { medication, name } of found) {
      const isSame = lastMedication !== null && lastMedication.name.toLowerCase() === name.toLowerCase()
      lastMedication = {
        name,
        item: spoken.item,
        count:
          isSame || lastMedication === null
            ? 1
            : lastMedication.count + (medication.generic === lastMedication.name ? 0 : 1),
      }
    }
    return found.length > 0
  }

  const addClinician = (spoken: Spoken): void => {
    const mentionsMedication = noteMedications(spoken) || lastMedication !== null
    if (spoken.asks) {
      addTherapeuticQuestion(spoken)
      return
    }
    for (const clause of splitClauses(names.hide(spoken.clean))) {
      const isLate = spoken.order > session.sentences.length * 0.6
      const isWithin = intervention !== null && intervention.items.includes(spoken.item)
      const wording = wordClinician(clause, { isLate: isLate && !isWithin, mentionsMedication })
      if (wording === null || leavesTooMuchOpen(wording.text)) continue
      const measured = wording.kind === 'measure' ? nameMeasure(wording.text, spoken) : wording.text
      const named = wording.kind === 'order' ? nameMedicine(wording.text, spoken.item) : null
      push(
        wording.kind,
        spoken,
        {
          text: named?.text ?? measured,
          frame: null,
          items: named === null ? [spoken.item] : [named.item, spoken.item],
        },
        findTopics(clause),
        clause,
      )
      if (wording.kind === 'intervention') intervention = statements.at(-1) ?? null
    }
  }

  /** A question is an intervention when it names a technique; others are only the way to an answer. */
  const addTherapeuticQuestion = (spoken: Spoken): void => {
    const clean = names.hide(spoken.clean)
    if (
      !/\b(?:evidence|balanced way|more balanced|worst (?:case|that could)|alternative|letter|picture|imagine|first thought|mean about you|scale|zero to)\b/i.test(
        clean,
      )
    )
      return
    const { matter, indirect, isOpen } = readAsked(clean)
    if (/^(?:could|can|would) you\b/i.test(clean)) {
      const wording = wordClinician(clean, { isLate: false, mentionsMedication: false })
      if (wording !== null)
        push('intervention', spoken, { text: wording.text, frame: null, items: [spoken.item] }, [], clean)
    } else if (
      isOpen &&
      indirect !== null &&
      matter === null &&
      !/zero|scale|how (?:much|strongly)/i.test(clean)
    ) {
      push(
        'intervention',
        spoken,
        {
          text: `clinician asked ${indirect.replace(/\bthey\b/, 'client')}`,
          frame: null,
          items: [spoken.item],
        },
        [],
        clean,
      )
    } else return
    intervention = statements.at(-1) ?? null
  }

  const addClient = (spoken: Spoken): void => {
    noteMedications(spoken)
    if (answered.has(spoken.order) || countWords(spoken.clean) === 0) return
    const wording = wordClient(spoken)
    if (wording === null) return
    const isGoalAnswer = spoken.question?.topics.includes('goal') === true
    if (saysNothing(wording.text) && !isGoalAnswer && !isResponse(spoken) && spoken.topics.length === 0)
      return
    const topics = topicsOf(spoken)
    const kind = kindOf(spoken, topics)
    const response =
      kind === 'response'
        ? asResponse(spoken, wording)
        : kind === 'intent'
          ? asIntent(spoken, wording)
          : wording
    push(kind, spoken, nameDose(spoken, response, topics), topics, `${spoken.clean} ${wording.text}`)
  }

  const wordClient = (spoken: Spoken): Wording | null => {
    const startsAnswer = spoken.question !== null && spoken.opensTurn
    const isElliptical = !isFullClause(spoken.clean) || /^no[,.;—-]/i.test(spoken.clean)
    if (startsAnswer && (isElliptical || isAnaphoric(spoken.clean))) return wordOpening(spoken, isElliptical)
    if (isElliptical)
      return addsToBefore(spoken) || countWords(spoken.clean) < 2 ? null : quoteIfWeighty(spoken)
    if (!isAnaphoric(spoken.clean)) return wordReport(spoken, names) ?? quoteIfWeighty(spoken)
    const before = statements.at(-1)
    const resolved = resolvePronoun(spoken, session)
    if (resolved !== null) {
      const named = wordReport({ ...spoken, clean: resolved.text }, names)
      return named === null ? null : { ...named, items: [resolved.item, spoken.item] }
    }
    const wording = wordReport(spoken, names)
    const isNext =
      before?.frame !== null &&
      before?.items.includes(spoken.item) === true &&
      before.order === spoken.order - 1
    if (!isNext || wording === null || countWords(before.text) + countWords(wording.text) > 34)
      return isResponse(spoken) ? wording : null
    statements[statements.length - 1] = scoreStatement(
      {
        ...before,
        text: `${before.text}; ${wording.text}`,
        topics: [...new Set([...before.topics, ...spoken.topics])],
      },
      `${before.text} ${spoken.clean}`,
      session,
    )
    return null
  }

  /** "I drink more coffee. Like six cups a day.": an afterthought with a number belongs to its sentence. */
  const addsToBefore = (spoken: Spoken): boolean => {
    const before = statements.at(-1)
    if (
      before === undefined ||
      before.frame === null ||
      !before.items.includes(spoken.item) ||
      before.order !== spoken.order - 1
    )
      return false
    if (findNumbers(tokenizeWords(spoken.clean)).length === 0 || hasNegation(spoken.clean) || spoken.asks)
      return false
    const clean = names.hide(spoken.clean.replace(/^like /i, '').replace(/[.!?…]+$/, ''))
    const fragment = shiftFirstPerson(lowerFirst(expandContractions(clean)))
    if (fragment === null || countWords(fragment) > 8) return false
    statements[statements.length - 1] = scoreStatement(
      { ...before, text: `${before.text} (${fragment})` },
      `${before.text} ${fragment}`,
      session,
    )
    return true
  }

  /** The first sentences of an answer that mean nothing without the question. */
  const wordOpening = (spoken: Spoken, isElliptical: boolean): Wording | null => {
    if (!isElliptical) {
      const wording = wordReport(spoken, names)
      const asked = spoken.question === null ? null : readAsked(names.hide(spoken.question.clean)).indirect
      if (wording === null || wording.frame?.form !== 'clause' || isResponse(spoken)) return wording
      return asked === null || spoken.question === null
        ? null
        : {
            text: `asked ${asked}, ${spoken.role === 'client' ? 'client' : 'a participant'} reported ${wording.text}`,
            frame: null,
            items: [spoken.question.item, spoken.item],
          }
    }
    const group = [spoken]
    for (const next of session.sentences.slice(spoken.order + 1, spoken.order + 4)) {
      const completes =
        /^(?:that's|it's|that is|it is)\b/i.test(next.clean) &&
        countWords(next.clean) <= 7 &&
        group.length === 1 &&
        readAnswer(spoken.said) === 'other'
      if (next.item !== spoken.item || (isFullClause(next.clean) && !completes) || next.asks) break
      group.push(next)
    }
    if (continuesBefore(group)) return null
    const wording = wordAnswer(group, names)
    if (wording !== null) for (const { order } of group) answered.add(order)
    return wording
  }

  /** "How long has that been going on?" – "Three weeks.": the answer belongs to the sentence before. */
  const continuesBefore = (group: readonly Spoken[]): boolean => {
    const before = statements.at(-1)
    const asked = spokenQuestion(group)
    if (before === undefined || before.frame === null || before.role !== group[0]?.role) return false
    if (!/\b(?:how (?:long|often|many|much|bad)|when did|since when|what time)\b/i.test(asked)) return false
    if (
      !/\b(?:that|it|this)\b.{0,20}\b(?:going on|been|happen\w*|start\w*|begin|last|come up|like that)\b/i.test(
        asked,
      ) ||
      group[0].item - (before.items.at(-1) ?? 0) > 2
    )
      return false
    const rest = wordAnswer(group, names)?.bare?.replace(/^.*? reported /, '')
    if (rest === undefined || countWords(before.text) + countWords(rest) > 34) return false
    const items = [...new Set([...before.items, ...(wordAnswer(group, names)?.items ?? [])])]
    statements[statements.length - 1] = scoreStatement(
      { ...before, items, text: `${before.text} (${rest})`, score: 0 },
      `${before.text} ${rest}`,
      session,
    )
    for (const { order } of group) answered.add(order)
    return true
  }

  const quoteIfWeighty = (spoken: Spoken): Wording | null =>
    statements.filter(({ text }) => / stated, "/.test(text)).length < quotesMax &&
    spoken.topics.some(
      (topic) => topic === 'mood' || topic === 'trauma' || topic === 'psychosis' || topic === 'goal',
    )
      ? wordQuote(spoken, names)
      : null

  const topicsOf = (spoken: Spoken): Topic[] => {
    const asked = spoken.question?.topics ?? []
    return [...new Set([...asked.filter((topic) => topic !== 'progress'), ...spoken.topics])]
  }

  const isResponse = (spoken: Spoken): boolean => isResponseTo(intervention, spoken)

  const kindOf = (spoken: Spoken, topics: readonly Topic[]): StatementKind => {
    if (risk.isWithinRisk(spoken) && !isResponse(spoken)) return isIntent(spoken) ? 'intent' : 'risk'
    if (spoken.question !== null && isRiskQuestion(spoken.question.clean)) return 'risk'
    if (isIntent(spoken)) return 'intent'
    const isGoal =
      topics.includes('goal') &&
      (/\bI (?:want|would like|'d like|hope)\b/i.test(spoken.clean) || spoken.question !== null)
    if (isGoal && !/\btreatment plan|where are we\b/i.test(spoken.question?.clean ?? '')) return 'goal'
    return isResponse(spoken) ? 'response' : 'report'
  }

  const isIntent = (spoken: Spoken): boolean =>
    (/^I (?:can|could) (?:ask|call|try|walk|go|do|text|talk)\b/i.test(spoken.clean) &&
      spoken.order > session.sentences.length * 0.5) ||
    /^I(?:'ll| will|'m going to| am going to| plan to) (?!work\b|school\b|church\b|bed\b|college\b|class\b|therapy\b|the\b|a\b|my\b|meetings\b|be\b|never\b|not\b|say\b|have\b|lose\b|die\b|tell you)/i.test(
      spoken.clean,
    )

  const asIntent = (spoken: Spoken, wording: Wording): Wording => {
    const will = /^they (?:will|are going to|plan to) (.+)$/.exec(wording.text)
    const subject = spoken.role === 'client' ? 'client' : 'a participant'
    return will === null || wording.frame === null
      ? wording
      : { ...wording, frame: null, text: `${subject} plans to ${will[1] ?? ''}` }
  }

  /** "That calmed me down" after an exercise: what "that" is stands in the sentence before. */
  const asResponse = (spoken: Spoken, wording: Wording): Wording => {
    if (wording.frame === null || !isAnaphoric(spoken.clean) || intervention === null) return wording
    const subject = spoken.role === 'client' ? 'client' : 'a participant'
    const text = wording.text.replace(/^(?:it|that|this)\b/i, 'this')
    return {
      text: `in response, ${subject} reported ${text}`,
      frame: null,
      items: [...intervention.items, ...wording.items],
    }
  }

  /** The one medicine that was being talked about, for a dose that was said without it. */
  const nameMedicine = (text: string, item: number): { text: string; item: number; name: string } | null => {
    if (lastMedication === null || lastMedication.count > 1 || findMedications(text).length > 0) return null
    if (item - lastMedication.item > 40 || findNumbers(tokenizeWords(text)).length === 0) return null
    return { text: `${lastMedication.name}: ${text}`, item: lastMedication.item, name: lastMedication.name }
  }

  const nameDose = (spoken: Spoken, wording: Wording, topics: readonly Topic[]): Wording => {
    const isAboutDose =
      topics.includes('medication') &&
      /\b(?:dose|milligrams?|taking|how much)\b/i.test(`${spoken.question?.clean ?? ''} ${wording.text}`)
    const inQuestion = spoken.question?.medicines ?? []
    const isNamed = inQuestion.length === 1 && findNumbers(tokenizeWords(wording.text)).length > 0
    if ((!isAboutDose && !isNamed) || wording.frame !== null || readAnswer(spoken.said) === 'no')
      return wording
    if (inQuestion.length === 1 && findMedications(wording.bare ?? wording.text).length === 0) {
      const name = inQuestion[0]?.name ?? ''
      return {
        ...wording,
        text: wording.bare === undefined ? wording.text : `${name}: ${wording.bare}`,
        bare: `${name}: ${wording.bare ?? wording.text}`,
      }
    }
    const named = nameMedicine(wording.text, spoken.item)
    if (named === null) return wording
    const bare = wording.bare === undefined ? {} : { bare: `${named.name}: ${wording.bare}` }
    return { ...wording, ...bare, text: named.text, items: [named.item, ...wording.items] }
  }

  return { statements, addClinician, addClient }
}

const splitClauses = (text: string): string[] =>
  text
    .split(
      /(?:,? (?:so|and|but) (?=(?:with your permission )?(?:I|we)(?:'d|'ll| will| would| want)\b))|(?:, (?=(?:we'll|let's|I'll)\b))|(?:, so (?=(?:this is|that's|it's)\b))|; /i,
    )
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')

const spokenQuestion = (group: readonly Spoken[]): string => group[0]?.question?.clean ?? ''

/** "Plan to keep that": what it is about was said elsewhere. */
const leavesTooMuchOpen = (text: string): boolean =>
  (countWords(text) < 4 && !text.startsWith('next appointment')) ||
  /^(?:plan to|client to|clinician (?:will|plans to|proposed|recommended)) \w+(?: (?:it|that|this|there|here|them|with|to|back|now|so|for now))*$/i.test(
    text,
  )
