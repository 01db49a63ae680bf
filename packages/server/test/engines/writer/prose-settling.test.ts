import type { TranscriptItem } from '@casenote/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DangerFinding } from '../../../src/engines/reader/reading.js'
import { makeProseWriter } from '../../../src/engines/writer/prose/prose-writer.js'
import type { JudgedSentence, WriterEngine } from '../../../src/engines/writer/writer-engine.js'
import { waitUntil } from '../../support/casenote-process.js'
import { listAsked, readMaterial, type Script } from '../scripted-models.js'
import { dangerOf, medicationVisit, readAs, threeHourSession, toTranscript } from '../session-fixtures.js'
import {
  checker,
  faultOf,
  goodNote,
  makeModel,
  never,
  ProseStage,
  requestOf,
  section,
  sentence,
  therapy,
  visit,
  writeAll,
} from './prose-fixture.js'

let stage: ProseStage
let script: Script
let writer: WriterEngine

beforeEach(async () => {
  stage = await ProseStage.open()
  ;({ script } = stage)
  writer = stage.openWriter()
})
afterEach(() => stage.close())

describe('exact checks that give no answer', () => {
  it('are tried again later: nothing is called verified without them', async () => {
    const busy = await ProseStage.open({ ...checker, checkExactly: async () => null })
    try {
      busy.script.next('progress_note', goodNote)
      const fault = await faultOf(writeAll(busy.openWriter(), therapy))
      expect(fault).toMatchObject({ kind: 'unavailable', isTransient: true })
      expect(busy.promptsOf('verification')).toEqual([])
    } finally {
      await busy.close()
    }
  })
})

describe('what is still refused', () => {
  const talk = toTranscript([
    ['clinician', 'How are the evenings?'],
    ['client', 'I did the laundry. I drink sixteen beers a night, and then I sleep.'],
    ['clinician', 'What did the form say?'],
    ['client', 'It came to fourteen.'],
  ])
  const refuse = (text: string, ...items: number[]) => sentence(text, ...items)

  /** A note whose plan has these sentences, all of them refused, and a repair that changes nothing. */
  const settle = async (
    said: readonly TranscriptItem[],
    sentences: ReturnType<typeof refuse>[],
    findings: readonly DangerFinding[] = [],
  ): Promise<{ sentences: readonly JudgedSentence[]; leftOut: unknown[] }> => {
    const verdicts = sentences.map((_, at) => ({
      n: at + 1,
      verdict: 'refused',
      reason: 'not_said',
      items: [],
    }))
    script
      .next('progress_note', {
        subjective: section(),
        objective: section(),
        assessment: section(),
        plan: section(...sentences),
      })
      .next('danger', { findings: [] })
      .next('verification', { verdicts })
      .next('repair', { changes: [], additions: [] })
    const { note } = await writeAll(writer, requestOf(said, { reading: readAs(...findings) }))
    return {
      sentences: note.sections.find(({ key }) => key === 'plan')?.sentences ?? [],
      leftOut: (note.leftOut ?? []).map(({ kind, label, words, reason }) => [kind, label, words, reason]),
    }
  }
  const textsOf = async (text: string, ...items: number[]): Promise<string[]> => {
    const { sentences } = await settle(talk, [refuse(text, ...items), refuse(text, ...items)])
    return sentences.map((one) => one.text)
  }

  it('and speaks of a danger that nobody found is replaced by the words that it rests on, once', async () => {
    expect(await textsOf('Client has a plan to hang themselves.', 1)).toEqual([
      'Client said: “I did the laundry.”',
    ])
    expect(await textsOf('Client keeps a gun where they sleep.', 0, 1)).toEqual([
      'Clinician said: “How are the evenings?”',
      'Client said: “I drink sixteen beers a night, and then I sleep.”',
    ])
  })

  it('and rests on nothing is left out and named, as is a medicine that nothing cited speaks of', async () => {
    const leave = async (text: string, ...items: number[]) => {
      const { sentences, leftOut } = await settle(talk, [refuse(text, ...items)])
      expect(sentences).toEqual([])
      return leftOut
    }
    expect(await leave('Client has a plan to hang themselves.')).toEqual([
      ['danger', 'Suicide plan', '', 'left_out'],
    ])
    expect(await leave('Client keeps a gun at home.')).toEqual([
      ['danger', 'Access to means of suicide', '', 'left_out'],
    ])
    expect(await leave('Client takes sertraline.', 2)).toEqual([['medicine', 'Sertraline', '', 'left_out']])
  })

  it('and has a number is replaced by the one sentence that it rests on and that has one', async () => {
    expect(await textsOf('Client drinks 6 beers a night.', 1)).toEqual([
      'Client said: “I drink sixteen beers a night, and then I sleep.”',
    ])
    expect(await textsOf('PHQ-9 was 12.', 2, 3)).toEqual(['Client said: “It came to fourteen.”'])
  })

  it('and rests on the same short words said elsewhere has a quote of its own, with its question', async () => {
    const asked = toTranscript([
      ['clinician', 'Do you have a plan for Friday?'],
      ['client', 'Yes.'],
      ['clinician', 'Do the voices tell you to do it?'],
      ['client', 'Yes.'],
    ])
    const settled = async (...sentences: ReturnType<typeof refuse>[]) =>
      (await settle(asked, sentences)).sentences.map(({ text, transcriptItems }) => [text, transcriptItems])
    const plan = refuse('Client has a suicide plan for Friday.', 1)
    const voices = refuse('Client hears voices commanding suicide.', 3)
    const first = [
      ['Clinician said: “Do you have a plan for Friday?”', [0]],
      ['Client said: “Yes.”', [1]],
    ]
    const second = [
      ['Clinician said: “Do the voices tell you to do it?”', [2]],
      ['Client said: “Yes.”', [3]],
    ]
    expect(await settled(plan, voices)).toEqual([...first, ...second])
    expect(await settled(plan, plan)).toEqual(first)
    expect(await settled(plan, refuse('Client intends suicide.', 0, 1))).toEqual(first)
    const found = dangerOf(asked, 1, 'Yes.')
    const joined = await settle(
      asked,
      [plan, voices],
      [
        { ...found, items: [0, 1] },
        { ...found, id: 'other', items: [2, 3] },
      ],
    )
    expect(joined.sentences.map(({ transcriptItems }) => transcriptItems)).toEqual([
      [0, 1],
      [2, 3],
    ])
  })

  it('and is about nothing of the kind stays, marked', async () => {
    const text = 'Client enjoys the laundry.'
    const marked = { text, judgement: 'refused', reason: 'not_said' }
    const { sentences } = await settle(talk, [refuse(text, 1), refuse(text, 1)])
    expect(sentences).toMatchObject([marked, marked])
  })
})

describe('three hours of talk in a small context', () => {
  it('every sentence is verified with the items that it rests on', async () => {
    const talk = threeHourSession()
    const sentences = Array.from({ length: 60 }, (_, index) =>
      sentence(`Client describes evening number ${index * 25}.`, index * 25, index * 25 + 12),
    )
    script.next('progress_note', {
      subjective: section(...sentences.slice(0, 30)),
      objective: section(),
      assessment: section(),
      plan: section(...sentences.slice(30)),
    })
    await writeAll(stage.openWriter(24_576), requestOf(talk, { reading: readAs() }))
    const asked = stage.promptsOf('verification').flatMap((prompt) =>
      [...prompt.matchAll(/^\d+\. (.*) \{items: (\d+), (\d+)\}$/gm)].map(([, text, one, other]) => {
        for (const item of [one, other]) expect(prompt).toContain(`\n[${item}] `)
        return text
      }),
    )
    expect(asked).toHaveLength(60)
    for (const { messages, max_tokens: answer = 0 } of stage.server.chats) {
      const letters = messages.reduce((sum, { content }) => sum + content.length, 0)
      expect(letters / 4 + answer).toBeLessThan(24_576)
    }
  })

  it('its parts are asked for two at a time, in whatever order they answer: others have notes to write, too', async () => {
    const waiting: (() => void)[] = []
    let [underway, most] = [0, 0]
    let facts = ''
    const model = makeModel(async ({ name, user }) => {
      if (name !== 'facts') {
        facts = /<facts>\n(.*)\n<\/facts>/s.exec(user)?.[1] ?? ''
        return ''
      }
      underway += 1
      most = Math.max(most, underway)
      await new Promise<void>((resolve) => waiting.push(resolve))
      underway -= 1
      const last = readMaterial(user).at(-1)?.items ?? []
      return JSON.stringify({ facts: [{ topic: 'plan', text: `Up to ${last.join()}.`, items: last }] })
    }, 24_576)
    const talk = threeHourSession()
    const request = requestOf(talk, { reading: readAs() })
    const ended = faultOf(writeAll(makeProseWriter(model, checker), request))
    // Whoever was asked last answers first.
    await waitUntil(async () => {
      waiting.pop()?.()
      return facts !== ''
    }, 'the parts are answered')
    await ended
    const ends = [...facts.matchAll(/Up to (\d+)\./g)].map(([, item]) => Number(item))
    expect(ends.length).toBeGreaterThan(3)
    expect(ends).toEqual(ends.toSorted((one, other) => one - other))
    expect(ends.at(-1)).toBe(talk.length - 1)
    expect(most).toBe(2)
  })
})

describe('verification', () => {
  it('leaves room for a model that thinks before it answers', async () => {
    script.next('progress_note', goodNote)
    await writeAll(writer, therapy)
    const asked = stage.server.chats.find((chat) => listAsked(chat.messages.at(-1)?.content ?? '').length > 0)
    expect(asked?.max_tokens).toBeGreaterThanOrEqual(2_000)
  })
})

describe('MDM elements', () => {
  const mdm = {
    problemsAddressed: [
      { problem: 'Bipolar I disorder', level: 'moderate', rationale: 'Not at goal.', items: [1] },
    ],
    riskOfComplications: { level: 'na', rationale: 'Nothing was decided.', items: [] },
    crisisInterventionIdentified: false,
    crisisInterventionRationale: null,
    crisisItems: [],
  }

  it('a problem is judged with its name, and one that is refused is not named', async () => {
    script.next('mdm_elements', mdm).next('verification', {
      verdicts: [{ n: 1, verdict: 'refused', reason: 'not_said', items: [1] }],
    })
    const { problemsAddressed } = await writer.deriveMdm(visit, never)
    expect(stage.promptsOf('verification')[0]).toContain('1. Bipolar I disorder: Not at goal.')
    expect(problemsAddressed).toEqual([
      {
        problem: 'Not borne out as it was derived',
        level: 'na',
        rationale: `As said: “${medicationVisit[1]?.transcript}”`,
        evidence: [1],
      },
    ])
  })

  it('a crisis that was plainly said is one, whatever the model says', async () => {
    const words = 'I have the pills counted out for Sunday.'
    const plan = { ...dangerOf(medicationVisit, 3, words), element: 'plan' as const }
    script.next('mdm_elements', mdm)
    expect(await writer.deriveMdm({ ...visit, reading: readAs(plan) }, never)).toMatchObject({
      crisisInterventionIdentified: true,
      crisisInterventionRationale: `As said: “${words}”`,
      crisisInterventionEvidence: [3],
    })
  })
})

describe('MDM elements and the ledger', () => {
  const talk = toTranscript([
    ['clinician', 'We stop the Zoloft and start lithium.'],
    ['client', 'Most nights I think about killing myself.'],
    ['clinician', 'You go to the day hospital from tomorrow.'],
  ])
  const changed = (status: 'stopped' | 'started', name: string) => ({
    kind: 'medicine' as const,
    id: name,
    items: [0],
    words: 'We stop the Zoloft and start lithium.',
    name,
    said: name,
    dose: null,
    use: null,
    status,
    whose: 'client' as const,
  })
  const reading = readAs(
    changed('stopped', 'sertraline'),
    changed('started', 'lithium'),
    dangerOf(talk, 1, 'Most nights I think about killing myself.'),
    {
      kind: 'decision',
      id: 'goes',
      items: [2],
      words: 'You go to the day hospital from tomorrow.',
      about: 'disposition',
      standing: 'agreed',
    },
  )
  const request = requestOf(talk, { reading, noteType: 'medication_management' })
  const derive = (rationale: string, problem: string) => {
    script.next('mdm_elements', {
      problemsAddressed: [{ problem: 'Depression', level: 'moderate', rationale: problem, items: [1] }],
      riskOfComplications: { level: 'moderate', rationale, items: [0] },
      crisisInterventionIdentified: false,
      crisisInterventionRationale: null,
      crisisItems: [],
    })
    return writer.deriveMdm(request, never)
  }

  it('name what was decided about medicines, danger and where the patient goes, and they leave out', async () => {
    const { riskOfComplications: risk } = await derive('Patient starts lithium.', 'Patient is not at goal.')
    expect(risk).toEqual({
      level: 'moderate',
      rationale:
        'Patient starts lithium. Also said: Suicidal thoughts: affirmed; Sertraline: stopped; “You go to the day hospital from tomorrow.”.',
      evidence: [0, 1, 2],
    })
  })

  it('are left as they are where they say it all', async () => {
    const rationale =
      'Sertraline is stopped and lithium started; patient goes to the day hospital from tomorrow.'
    const found = await derive(rationale, 'Patient thinks about killing themselves most nights.')
    expect(found.riskOfComplications.rationale).toMatch(/tomorrow\.$/)
  })
})

describe('a summary', () => {
  it('cuts no danger off what it names, however much else there is', async () => {
    const talk = toTranscript([
      ['client', 'We cooked.'],
      ...Array.from({ length: 9 }, (_, index): [string, string] => ['client', `I stopped number ${index}.`]),
      ['client', 'At nineteen I took all my pills.'],
    ])
    const stopped = Array.from({ length: 9 }, (_, index) => ({
      kind: 'medicine' as const,
      id: `medicine-${index}`,
      items: [index + 1],
      words: `I stopped number ${index}.`,
      name: `number${index}`,
      said: `number${index}`,
      dose: null,
      use: null,
      status: 'stopped' as const,
      whose: 'client' as const,
    }))
    const attempt = {
      ...dangerOf(talk, 10, 'At nineteen I took all my pills.'),
      element: 'attempt' as const,
      time: 'past' as const,
    }
    script.next('summary', { sentences: [sentence('Client cooked.', 0)] })
    const request = requestOf(talk, { reading: readAs(...stopped, attempt) })
    const summary = await writer.summarize(request, never)
    expect(summary).toMatch(/Also said: Suicide attempt: affirmed, in the past; Number0: stopped;/)
    expect(summary).toMatch(/; Number7: stopped; and 1 more, see the note\.$/)
  })

  it('cuts no allergy and not everything else off behind much danger of the past', async () => {
    const talk = toTranscript([
      ['client', 'We cooked.'],
      ...Array.from({ length: 20 }, (_, index): [string, string] => ['client', `I took pills ${index}.`]),
      ['client', 'Penicillin. I get hives.'],
      ['client', 'I stopped the Zoloft.'],
    ])
    const elements = ['attempt', 'act', 'preparation', 'threat'] as const
    const matters = ['suicide', 'self_harm', 'harm_to_others', 'abuse', 'psychosis'] as const
    const past = Array.from({ length: 20 }, (_, index) => ({
      ...dangerOf(talk, index + 1, `I took pills ${index}.`),
      id: `danger-${index}`,
      element: elements[index % 4] ?? 'act',
      matter: matters[index % 5] ?? 'suicide',
      time: 'past' as const,
    }))
    const allergy = {
      kind: 'allergy' as const,
      id: 'allergy',
      items: [21],
      words: 'Penicillin. I get hives.',
      substance: 'penicillin',
      reaction: 'hives',
      standing: 'affirmed' as const,
    }
    const stopped = {
      kind: 'medicine' as const,
      id: 'medicine',
      items: [22],
      words: 'I stopped the Zoloft.',
      name: 'sertraline',
      said: 'Zoloft',
      dose: null,
      use: null,
      status: 'stopped' as const,
      whose: 'client' as const,
    }
    script.next('summary', { sentences: [sentence('Client cooked.', 0)] })
    const reading = readAs(...past, stopped, allergy)
    const summary = await writer.summarize(requestOf(talk, { reading }), never)
    expect(summary.split(';').length).toBeGreaterThan(9)
    expect(summary).toContain('Allergy to penicillin: hives')
    expect(summary).toContain('Sertraline: stopped')
  })

  it.each([
    ['Client has a plan to hang themselves.', 'Suicide plan'],
    ['Client keeps a gun at home.', 'Access to means of suicide'],
    ['Client hears voices and thinks about homicide.', 'Hallucinations; Thoughts of harming others'],
    ['Client is allergic to latex.', 'Allergies'],
    ['Client takes lithium with food.', 'Lithium'],
    ['Client goes to the emergency room tonight.', 'Disposition'],
  ])('names the matter of a refused sentence of which nobody found anything: %s', async (text, name) => {
    const talk = toTranscript([
      ['client', 'We cooked on Sunday.'],
      ['client', 'I did the laundry.'],
    ])
    script.next('summary', { sentences: [sentence('Client cooked.', 0), sentence(text, 1)] })
    script.next('verification', {
      verdicts: [
        { n: 1, verdict: 'borne_out', reason: null, items: [] },
        { n: 2, verdict: 'refused', reason: 'not_said', items: [] },
      ],
    })
    const summary = await writer.summarize(requestOf(talk, { reading: readAs() }), never)
    expect(summary).toBe(`Client cooked. Left out, as the session did not bear it out: ${name}.`)
  })

  it('names at its end what else it may not leave out', async () => {
    const talk = toTranscript([
      ['clinician', 'How was the week?'],
      ['client', 'Three weeks ago I took all my pills. We cooked on Sunday.'],
      ['clinician', 'Any allergies?'],
      ['client', 'Penicillin. I get hives.'],
    ])
    const attempt = {
      ...dangerOf(talk, 1, 'Three weeks ago I took all my pills.'),
      element: 'attempt' as const,
      time: 'past' as const,
    }
    const allergy = {
      kind: 'allergy' as const,
      id: 'allergy-3',
      items: [2, 3],
      words: 'Penicillin. I get hives.',
      substance: 'penicillin',
      reaction: 'hives',
      standing: 'affirmed' as const,
    }
    script.next('summary', { sentences: [sentence('Client cooked on Sunday.', 1)] })
    const summary = await writer.summarize(requestOf(talk, { reading: readAs(attempt, allergy) }), never)
    expect(summary).toMatch(
      /^Client cooked on Sunday\. Also said: .*attempt.*; Allergy to penicillin: hives\.$/i,
    )
  })
})
