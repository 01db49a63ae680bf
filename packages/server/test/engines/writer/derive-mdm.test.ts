import { MdmFindings, NOTE_TYPES, type TranscriptItem } from '@casenote/contract'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { deriveMdm } from '../../../src/engines/writer/embedded/derive-mdm.js'

/** `D:` is the clinician, `C:` the client. */
const read = (said: string): TranscriptItem[] =>
  said
    .trim()
    .split('\n')
    .map((line, at) => ({
      startTime: at * 5,
      endTime: at * 5 + 4,
      speaker: line.trim().startsWith('D:') ? 'clinician' : 'client',
      transcript: line.trim().slice(2).trim(),
    }))

const { signal } = new AbortController()

const derive = (said: string) =>
  deriveMdm({ noteType: 'medication_management', transcript: read(said), treatmentApproaches: [] }, signal)

const levels = async (said: string) =>
  Object.fromEntries((await derive(said)).problemsAddressed.map(({ problem, level }) => [problem, level]))

describe('problems addressed', () => {
  it('stable means at the goal: unchanged and not at goal is not stable', async () => {
    expect(await levels('D: How is the depression?\nC: The same. Still feeling down most days.')).toEqual({
      Depression: 'moderate',
    })
    expect(await levels('D: How is the depression?\nC: It is in remission, I am doing well.')).toEqual({
      Depression: 'low',
    })
  })

  it('names a diagnosis only as it was said, else the symptom', async () => {
    expect(await levels("C: I can't fall asleep and it is getting worse.")).toEqual({
      'Sleep disturbance': 'moderate',
    })
    expect(await levels('D: Your major depressive disorder is not improving.')).toEqual({
      'Major depressive disorder': 'moderate',
    })
    expect(await levels('C: I worry, but I am doing fine.')).toEqual({ 'Anxiety symptoms': 'low' })
  })

  it('has none that was denied, is past, or is somebody else’s', async () => {
    expect(await levels('D: Any panic attacks?\nC: No, none.')).toEqual({})
    expect(await levels('C: I used to have panic attacks in college.')).toEqual({})
    expect(await levels('C: My brother has bipolar and my mother has depression.')).toEqual({})
    expect(await levels("C: I don't have PTSD.")).toEqual({})
  })

  it('what another clinician follows is not addressed', async () => {
    const { problemsAddressed } = await derive('C: My PCP manages my high blood pressure.')
    expect(problemsAddressed).toEqual([
      {
        problem: 'High blood pressure',
        level: 'na',
        rationale: 'Mentioned as followed by another clinician; not evaluated or treated in this session.',
        evidence: [0],
      },
    ])
  })

  it('side effects of a drug that is decided about make a problem moderate', async () => {
    const said = `D: How is the Adderall for your ADHD?
      C: It works, but I get headaches.
      D: Let's lower the Adderall to 10 milligrams because of the headaches.`
    expect(await levels(said)).toEqual({ ADHD: 'moderate' })
  })

  it('a new problem with uncertain prognosis is moderate', async () => {
    expect(await levels('C: I had a panic attack for the first time last week.')).toEqual({
      'Panic attacks': 'moderate',
    })
  })

  it('grief without treatment is minimal', async () => {
    expect(await levels('C: I am grieving my grandmother, but I go to work.')).toEqual({ Grief: 'minimal' })
  })
})

describe('suicidal ideation and the level', () => {
  const asked = (answer: string, plan: string) => `C: My depression is worse. ${answer}
    D: Do you have a plan?
    C: ${plan}`

  it('alone does not set the level to high', async () => {
    expect(await levels(asked('I think I would be better off dead.', 'No, I would never do it.'))).toEqual({
      Depression: 'moderate',
    })
  })

  it('with a plan it is a threat to life', async () => {
    const said = asked('I think about killing myself.', 'Yes, I would take all my pills.')
    expect(await levels(said)).toEqual({ Depression: 'high' })
    expect(await derive(said)).toMatchObject({
      crisisInterventionIdentified: true,
      crisisInterventionEvidence: [0, 1, 2],
    })
  })

  it('is high even where no problem was named', async () => {
    const said = 'C: I want to end my life.\nD: Do you have a plan?\nC: Yes, I have a plan.'
    expect(await levels(said)).toEqual({ 'Danger to self or others': 'high' })
  })
})

describe('the crisis flag', () => {
  it.each([
    ['denied', 'D: Are you having thoughts of killing yourself?\nC: No.'],
    ['long past', 'C: When I was nineteen I tried to kill myself.'],
    ['another person’s', 'C: My brother killed himself last week.'],
    ['another person’s thoughts', 'C: My sister wants to kill herself, she has a plan.'],
    ['a figure of speech', 'C: This job is killing me and I am dead tired.'],
    ['taught', 'D: If you ever think about suicide, call 988.'],
    ['only asked', 'D: Have you thought about ending your life?'],
    ['passive', 'C: Sometimes I wish I was dead. I would never do anything.'],
    ['a plan of another kind', 'D: Do you have a plan for the weekend?\nC: Yes, I have a plan.'],
  ])('is not raised by what is %s', async (_, said) => {
    expect((await derive(said)).crisisInterventionIdentified).toBe(false)
  })

  it.each([
    ['a plan', 'C: I want to kill myself.\nD: Do you have a plan?\nC: Yes, I have a plan.'],
    ['a recent attempt', 'C: Last night I tried to kill myself.'],
    ['a target', 'C: I keep thinking about killing my boss.'],
    ['commands', 'C: The voices tell me to jump off the roof.'],
    ['no safety', "C: I don't think I can stay safe tonight."],
    ['an emergency', 'D: I am going to call mobile crisis now.'],
    ['violence at home', 'C: My husband hit me last night.'],
    [
      'a safety plan',
      'C: I wish I would not wake up. I think about suicide.\nD: Let us make a safety plan together.',
    ],
  ])('is raised by %s, with its evidence and without a code', async (_, said) => {
    const found = await derive(said)
    expect(found.crisisInterventionIdentified).toBe(true)
    expect(found.crisisInterventionEvidence.length).toBeGreaterThan(0)
    expect(found.crisisInterventionRationale).not.toMatch(/908/)
  })

  it('asks for review where the answer is unclear', async () => {
    const found = await derive('D: Are you having thoughts of suicide?\nC: Not really.')
    expect(found).toMatchObject({ crisisInterventionIdentified: false, crisisInterventionEvidence: [0, 1] })
    expect(found.crisisInterventionRationale).toMatch(/review/)
  })
})

describe('risk of complications', () => {
  const risk = async (said: string) => (await derive(said)).riskOfComplications

  it('is moderate for a drug with name, dose, decision and reason; to keep a dose counts too', async () => {
    expect(await risk("D: Let's keep the Lexapro at 10 milligrams because it's working.")).toEqual({
      level: 'moderate',
      rationale: 'Prescription drug management: Lexapro continued at 10 milligrams, with the reason stated.',
      evidence: [0],
    })
  })

  it.each([
    ['partly better', 'You are partly better.'],
    ['room to do more', 'I think there is room to do more.'],
    ['tolerated well', 'You have tolerated it well.'],
    ['not yet well', 'You are not quite there yet.'],
  ])('finds the reason that was given: %s', async (_, reason) => {
    expect(
      await risk(`D: ${reason} I would like to increase the sertraline to 100 milligrams.`),
    ).toMatchObject({
      level: 'moderate',
      rationale:
        'Prescription drug management: sertraline increased to 100 milligrams, with the reason stated.',
    })
  })

  it.each([
    ['the reason', "D: Let's increase the Lexapro to 20 milligrams."],
    ['the dose', "D: Let's increase the Lexapro because you're still anxious."],
    ['the name of the medication', "D: Let's increase it to 20 milligrams because you're still anxious."],
  ])('is not moderate without %s', async (missing, said) => {
    expect(await risk(said)).toMatchObject({
      level: 'low',
      rationale: expect.stringContaining(missing) as string,
    })
  })

  it('is not raised by a list of medications, a refill, a question or a thought', async () => {
    expect((await risk('C: I take Zoloft 50 mg and lisinopril 10 mg.')).level).toBe('na')
    expect((await risk("D: I'll send in a refill of your medication.")).level).toBe('low')
    const asked =
      'D: Should we increase the Zoloft to 100 mg because you are still down?\nC: I feel depressed.'
    expect((await risk(asked)).level).toBe('minimal')
    const thought = "D: We might increase the Zoloft to 100 mg if it isn't enough.\nC: I feel depressed."
    expect((await risk(thought)).level).toBe('minimal')
  })

  it('is high for monitoring for toxicity, and not for a level drawn for effect', async () => {
    const toxic =
      "D: How is the tremor on the lithium?\nC: Worse.\nD: I'm going to order a lithium level and kidney function, I'm worried about toxicity."
    expect((await risk(toxic)).level).toBe('high')
    const effect =
      "D: Let's check a lithium level to see if it's therapeutic.\nD: We'll continue lithium at 900 mg because you're doing well."
    expect((await risk(effect)).level).toBe('moderate')
    expect((await risk('D: Your ANC came back fine, we check it monthly with the clozapine.')).level).toBe(
      'high',
    )
  })

  it('is high where hospital care is decided or decided against, not where it is history', async () => {
    expect((await risk('D: I think we should admit you to the hospital today.')).level).toBe('high')
    expect(
      (await risk("D: I considered admission, but I don't think you need the hospital tonight.")).level,
    ).toBe('high')
    expect((await risk('D: Have you ever been hospitalized?\nC: Once in 2012.')).level).toBe('na')
  })
})

describe('on any session', () => {
  it('is refused for note types that have no MDM', async () => {
    for (const noteType of NOTE_TYPES.filter(
      (one) => !/psychiatric_evaluation|medication_management/.test(one),
    )) {
      await expect(deriveMdm({ noteType, transcript: [], treatmentApproaches: [] }, signal)).rejects.toThrow(
        /prescriber/,
      )
    }
  })

  it('fits the contract, points into the transcript and names no level without evidence', async () => {
    const words =
      "I my you your not no depression anxiety worse better panic lithium Zoloft 50 mg let's increase because suicide plan hospital voices ? . , brother he still"
    const turn = fc.record({
      speaker: fc.constantFrom('clinician', 'client', 'speaker_1'),
      transcript: fc
        .array(fc.constantFrom(...words.split(' ')), { maxLength: 14 })
        .map((list) => list.join(' ')),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 12 }), async (turns) => {
        const transcript = turns.map((one, at) => ({ startTime: at, endTime: at + 1, ...one }))
        const found = await deriveMdm(
          { noteType: 'psychiatric_evaluation', transcript, treatmentApproaches: [] },
          signal,
        )
        expect(Value.Check(MdmFindings, found)).toBe(true)
        const evidence = [found.riskOfComplications, ...found.problemsAddressed]
        for (const { level, evidence: items } of evidence) {
          if (level === 'moderate' || level === 'high') expect(items.length).toBeGreaterThan(0)
          for (const item of items) expect(transcript[item]).toBeDefined()
        }
        if (found.crisisInterventionIdentified) expect(found.crisisInterventionEvidence).not.toEqual([])
      }),
      { numRuns: 400 },
    )
  })
})
