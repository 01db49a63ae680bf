import { describe, expect, it } from 'vitest'
import type { DangerFinding, TopicScores } from '../../../src/engines/reader/reading.js'
import { namesDanger } from '../../../src/engines/reader/danger/names-danger.js'
import { readFindings } from '../../../src/engines/reader/read-findings.js'
import { readTalk } from '../../../src/engines/reader/talk/read-talk.js'
import { findKind, makeTalk } from './talk.js'

const show = ({ matter, element, standing, time, whose }: DangerFinding) =>
  [matter, element, standing, time, whose].join(' ')
const showAll = (...lines: string[]) => findKind('danger', lines).map(show)

describe('danger in plain words, whatever the encoder says', () => {
  it.each<[string[], string]>([
    [['T: Any thoughts of suicide?', 'C: No.'], 'suicide thoughts denied present client'],
    [['T: Any thoughts of suicide?', 'C: Yes, most nights.'], 'suicide thoughts affirmed present client'],
    [['T: Any thoughts of suicide?', 'C: Not really.'], 'suicide thoughts unclear present client'],
    [['T: So no thoughts of killing yourself?', 'C: Right.'], 'suicide thoughts denied present client'],
    [
      ['T: Have you ever tried to kill yourself?', 'C: Once, when I was nineteen.'],
      'suicide attempt affirmed past client',
    ],
    [
      ['T: Do you ever wish you were dead?', 'C: Sometimes.'],
      'suicide wish_to_be_dead affirmed present client',
    ],
    [['C: I want to kill myself.'], 'suicide thoughts affirmed present client'],
    [["C: I'm not suicidal."], 'suicide thoughts denied present client'],
    [["C: I wouldn't mind if I didn't wake up."], 'suicide wish_to_be_dead affirmed present client'],
    [['C: My uncle shot himself in the barn.'], 'suicide attempt affirmed past other'],
    [['C: I cut myself again last night.'], 'self_harm act affirmed present client'],
    [['C: He slapped me and I fell.'], 'abuse violence affirmed present client'],
    [['C: He choked me on Sunday.'], 'abuse violence affirmed present client'],
    [['C: She hits the kids when she drinks.'], 'abuse violence affirmed present other'],
    [['T: Do the voices tell you to hurt anybody?', 'C: No.'], 'psychosis commands denied present client'],
    [['T: Are you hearing voices?', 'C: Two of them, at night.'], 'psychosis voices affirmed present client'],
    [['T: Any thoughts of hurting someone else?', 'C: No.'], 'harm_to_others thoughts denied present client'],
  ])('%j', (lines, expected) => {
    expect(showAll(...lines)).toContain(expected)
  })

  it.each([
    ["C: And she says stuff. Like, I'll be with him by Christmas.", 'suicide wish_to_be_dead'],
    ["C: He can have the amp as well, I'm not gonna be around to play it.", 'suicide wish_to_be_dead'],
    ["C: I said we'll go the two of us off the pier together, we'd the shoes off.", 'suicide thoughts'],
    ['C: He has me card, he gives me me bus fare and that.', 'abuse control'],
    ['C: One of them said I should drink bleach.', 'suicide thoughts'],
    ["C: One woman there, she said she'd thought about taking pills.", 'suicide thoughts'],
    ['C: I thought about taking pills for the flight.', undefined],
    ["C: I'm not going to be here for the next appointment.", undefined],
    ["C: I'll be with her by three, the traffic is bad.", undefined],
  ])('said in passing is at least suspected: %s', (line, expected) => {
    const [found] = findKind('danger', [line], { 0: { abuse: 0.05 } })
    expect(found && `${found.matter} ${found.element}`).toBe(expected)
    expect(found?.certainty ?? 'suspected').toBe('suspected')
  })

  it('what both may do to each other was asked of both', () => {
    const asked = (question: string) =>
      findKind('danger', [`T: ${question}`, 'C: No. Never.'], { 0: { abuse: 1 }, 1: { abuse: 1 } }).map(
        ({ matter, standing, certainty }) => [matter, standing, certainty].join(' '),
      )
    const both = ['abuse denied plain', 'harm_to_others denied suspected']
    expect(asked('Do rows ever get physical, or is either of you afraid?')).toEqual(both)
    expect(asked('Are you two safe with each other, when you drink?')).toEqual(both)
    expect(asked('Does he ever hit you?')).toEqual(['abuse denied plain'])
  })

  it('what stays private is a rule, and what is told with it is not', () => {
    const told = (answer: string) =>
      findKind('danger', ['T: You remember what stays private?', `C: ${answer}`], { 1: { risk_self: 0.9 } })
    expect(told("Everything unless I'm gonna die or someone's hurting me.")).toEqual([])
    expect(
      told(
        "Everything unless I'm in danger. And I want to die, so you'd have to tell her then, I guess, wouldn't you.",
      ),
    ).not.toEqual([])
  })

  it('rests on the words about it, not on what was asked behind them', () => {
    const lines = [
      "T: Any thoughts of killing yourself, or that you'd rather be dead?",
      'C: Nah. I get sad, but nah.',
      'T: Not since the summer?',
      "C: Not since the summer. I told my grandma I'd be here for her birthday.",
      "T: When's her birthday?",
      "C: January nineteenth. We're doing a whole thing.",
    ]
    const sure = { risk_self: 0.98 }
    const found = findKind('danger', lines, {
      0: sure,
      1: sure,
      2: sure,
      3: sure,
      4: { risk_self: 0.44 },
      5: { risk_self: 0.25 },
    })
    expect(found.map(({ words }) => words)).not.toContain("January nineteenth. We're doing a whole thing.")
    expect(found.map(({ standing }) => standing)).not.toContain('affirmed')
  })

  it.each([
    ['And at night?', 'affirmed'],
    ['Not even at night?', 'unclear'],
  ])(
    'takes a yes behind a no for what was asked, if the encoder is as sure of it: %s',
    (question, standing) => {
      const sure = { risk_self: 0.98 }
      const found = findKind(
        'danger',
        ['T: Any thoughts of suicide?', 'C: No.', `T: ${question}`, 'C: Well, yeah, at night they come.'],
        { 0: sure, 1: sure, 2: sure, 3: sure },
      )
      expect(found.map((one) => one.standing)).toEqual([standing])
    },
  )

  it('lists by itself what follows without a word for it, if the encoder is sure of it', () => {
    const lines = [
      'T: And the overdose two years ago. Was that one an accident?',
      'C: I told them accident.',
      'T: So that one you meant.',
      "C: I meant it about seventy percent. I've not said that to anyone.",
    ]
    const follow = (score: number) =>
      findKind('danger', lines, {
        0: { risk_self: 0.95 },
        1: { risk_self: 0.9 },
        2: { risk_self: 0.8 },
        3: { risk_self: score },
      }).filter(({ words }) => words.includes('seventy'))
    expect(follow(0.7)).toMatchObject([{ certainty: 'suspected', standing: 'unclear', matter: 'suicide' }])
    expect(follow(0.3)).toEqual([])
  })

  it('denies only what was asked', () => {
    const found = showAll('T: Do you have a plan to end your life?', 'C: No.')
    expect(found).toEqual(['suicide plan denied present client'])
  })

  it('asks of two matters in one breath give a finding each', () => {
    const found = findKind('danger', [
      'T: Any thoughts of killing yourself, or of hurting anyone else?',
      'C: No and no.',
    ])
    expect(found.map(({ matter }) => matter).toSorted()).toEqual(['harm_to_others', 'suicide'])
    expect(found.every(({ standing }) => standing === 'denied')).toBe(true)
  })

  it('what was and is no longer is denied now and affirmed then', () => {
    const found = showAll('T: Any thoughts of suicide?', 'C: Not now. In college I did.')
    expect(found).toContain('suicide thoughts denied present client')
    expect(found).toContain('suicide thoughts affirmed past client')
  })

  it('an unclear answer that is settled a moment later is settled', () => {
    const found = showAll(
      'T: Any thoughts of suicide?',
      'C: Not really.',
      'T: Any at all, of suicide?',
      'C: No. None.',
    )
    expect(found).toEqual(['suicide thoughts denied present client'])
  })

  it('is plain, and names its question', () => {
    const [finding] = findKind('danger', [
      'T: How is work?',
      'C: Fine.',
      'T: Are you suicidal?',
      'C: No, not at all.',
    ])
    expect(finding).toMatchObject({
      certainty: 'plain',
      foundBy: 'words',
      questionItem: 2,
      items: [2, 3],
      words: 'No, not at all.',
    })
  })

  it('with a gun in the house is suspected by itself, and plain in talk of danger', () => {
    const lines = ['T: Do you have a gun?', 'C: In the closet, loaded.']
    expect(findKind('danger', lines)[0]?.certainty).toBe('suspected')
    expect(findKind('danger', lines, { 0: { risk_self: 0.8 }, 1: { risk_self: 0.9 } })[0]?.certainty).toBe(
      'plain',
    )
  })
})

describe('figures of speech and other harmless words', () => {
  it.each([
    'C: My feet are killing me.',
    'C: I had a headache like somebody hit me with a hammer.',
    'C: She snores like a man being strangled.',
    'C: It is like a hand on my throat.',
    'C: He talks like a machine gun.',
    'C: Any panic, like my heart goes and I thought I was dying.',
    'C: She hits me with a pillow when I snore.',
    'C: Long as it don’t hit me on the line.',
    'C: He reads them stories and does the voices.',
    'T: Someone will be listening to your chest with a stethoscope.',
    'C: I was dying to tell you.',
    'C: This headache is killing me.',
    'C: I almost choked on the word.',
    'C: She got choked up at the wedding.',
    'C: The choir has forty voices in four parts, and my voice cracked.',
    'C: I fixed the wreath with the glue gun.',
    'C: You jumped the gun there.',
    'C: Just shoot me an email.',
    'C: We hang out on Fridays.',
    'C: I cut myself shaving.',
    'C: I burned myself on the stove.',
    'C: I cut back on coffee and cut my hair.',
    'C: It hit me that she was gone.',
    'C: I keep beating myself up about it.',
    'C: My phone died and the battery is dead.',
    'C: That would be career suicide.',
    'C: I was overdosing on sugar all weekend.',
    'C: I could strangle that printer.',
    'C: Her drug abuse counselor called.',
    "C: I didn't wake up until ten.",
    'T: If you ever feel suicidal, call 988.',
    'T: Some people on this medicine get thoughts of suicide at first.',
    'C: I raised my voice at the meeting.',
    'C: She kicked him out in June.',
  ])('%s', (line) => {
    expect(findKind('danger', [line])).toEqual([])
  })

  it.each([
    'C: He was like hands around my throat and I could not breathe.',
    'C: And then he is like, hands on my throat.',
    'C: I married a man that will hit me.',
    'C: He is a man that hits me.',
    'C: He is somebody that could hit her.',
    'C: My stepdad is the one that might hit her.',
    'C: It was like someone choking me, my husband.',
    'C: I look like somebody hit me, and he did.',
    'C: I looked like someone had hit me.',
    'C: The ammo box is under my bed.',
    'C: He keeps an ammo can by the door.',
    'T: How often does the voices come?',
    'T: Does the voices command you to hurt people?',
    'C: They are listening to my breathing through the wall.',
    'C: They are listening to my heart through the radio.',
  ])('is none in %s', (line) => {
    expect(namesDanger(line.slice(3))).toBe(true)
  })

  it.each([
    'C: It feels like a tight hand around my throat.',
    'C: It was like hands on my throat, the panic.',
    'C: It felt like somebody punched me, that news.',
    'C: The news that will hit me later, it will hit me at night.',
    'C: Dad does the voices.',
    'C: My mom is doing all the voices.',
    'T: I am listening to your lungs.',
    'C: The pain might hit me at night.',
  ])('is one in %s', (line) => {
    expect(namesDanger(line.slice(3))).toBe(false)
  })

  it('what may be a way of speaking stays, as suspected, unless the encoder is sure of something else', () => {
    const [finding] = findKind('danger', ['C: I could kill him for that.'], { 0: { risk_others: 0.05 } })
    expect(finding).toMatchObject({ matter: 'harm_to_others', certainty: 'suspected' })
    expect(findKind('danger', ['C: I could kill him for that.'])).toEqual([])
    expect(findKind('danger', ["C: It's suicide, that back four."])[0]?.certainty).toBe('suspected')
  })
})

describe('danger that only the encoder finds', () => {
  const passing = 'C: I got them all lined up in a coffee can, just so there is a way out.'
  it('is suspected when it is not sure', () => {
    const [finding] = findKind('danger', [passing], { 0: { risk_self: 0.3 } })
    expect(finding).toMatchObject({
      matter: 'suicide',
      element: 'unspecified',
      certainty: 'suspected',
      foundBy: 'encoder',
      items: [0],
    })
  })
  it('is plain when it is sure', () => {
    expect(findKind('danger', [passing], { 0: { risk_self: 0.7 } })[0]?.certainty).toBe('plain')
  })
  it.each(['C: Maybe.', 'C: Not sure.', "C: I don't know.", 'C: Yeah, I guess.', 'T: Mm-hmm.'])(
    'is nothing in a bare %j',
    (line) => {
      expect(findKind('danger', ['T: And the dog?', line], { 1: { abuse: 0.4 } })).toEqual([])
    },
  )
  it('belongs to the question where an answer says nothing by itself', () => {
    const found = findKind('danger', ['T: Do you think of ending your life?', 'C: Maybe.'], {
      1: { risk_self: 0.3 },
    })
    expect(found.map(show)).toEqual(['suicide thoughts unclear present client'])
  })
  it('is nothing in a question of something else and its no', () => {
    expect(findKind('danger', ['T: Do you have kids?', 'C: No, not yet.'], { 1: { abuse: 0.2 } })).toEqual([])
  })
  it('is one finding for neighbouring items of one matter', () => {
    const lines = [
      'C: He waits by my car at night.',
      'T: Oh.',
      'C: He knows my shifts, all of them.',
      'C: And he has my keys still.',
    ]
    const found = findKind('danger', lines, { 0: { abuse: 0.8 }, 2: { abuse: 0.7 }, 3: { abuse: 0.9 } })
    expect(found.filter(({ foundBy }) => foundBy === 'encoder')).toHaveLength(1)
  })
})

describe('what the encoder says of a stretch', () => {
  const sure = { affirmed: 0, denied: 1, unclear: 0 }
  const figures = (standing = sure, time = { present: 0, past: 1 }, whose = { client: 0, other: 1 }) => ({
    sentences: [1],
    standing,
    time,
    whose,
  })
  const read = (lines: readonly string[], own = figures()) =>
    readFindings(
      readTalk(makeTalk(...lines)),
      [],
      lines.map(() => own),
    ).findings.flatMap((finding) => (finding.kind === 'danger' ? [show(finding)] : []))

  it('makes a denial of an answer that opens with one, and says when and whose', () => {
    expect(
      read(['T: Have you thought of ending your life?', 'C: No. I thought about why he killed himself.']),
    ).toContain('suicide thoughts denied past other')
  })
  it.each([
    [['C: Most nights I think about killing myself.']],
    [['T: How are your nights?', 'C: Most nights I think about killing myself.']],
    [['T: Any thoughts of suicide?', 'C: Yes. Most nights.']],
  ])('never makes a denial of %j', (lines) => {
    expect(read(lines).join()).not.toContain('denied')
  })
  it('clears up what the rules leave unclear', () => {
    const lines = ['T: Any thoughts of suicide?', 'C: Only at night, when it is quiet.']
    expect(read(lines, figures({ affirmed: 1, denied: 0, unclear: 0 })).join()).toContain('affirmed')
  })
  it('is nothing below the figure that makes a finding', () => {
    const lines = ['C: He waits by my car at night.', 'T: Oh.', 'C: We had the kippers, and a gull came.']
    const [found] = findKind('danger', lines, { 0: { abuse: 0.9 }, 2: { abuse: 0.15 } })
    expect(found?.items).toEqual([0])
    const apart = findKind('danger', lines.slice(2), { 0: { abuse: 0.25 } })
    expect(apart).toHaveLength(1)
  })

  it.each<[number, number, TopicScores, number, string[]]>([
    // About the body: a low figure of the sentence, then a high one; and where the same danger was told before.
    [0.85, 0.2, { medical: 0.5 }, 0, ['2 suspected']],
    [0.6, 0.5, { medical: 0.5 }, 0, ['2 plain']],
    [0.95, 0.1, { medical: 0.5 }, 0, ['2 plain']],
    [0.6, 0.1, { medical: 0.5 }, 0.97, ['0,2 plain']],
    // About something else, symptoms of the mind among it.
    [0.85, 0.2, {}, 0, ['2 plain']],
    [0.85, 0.2, { symptoms: 0.5 }, 0, ['2 plain']],
    [0.4, 0.65, {}, 0, ['2 suspected']],
    // What the figure for the sentence does not bear out.
    [0.85, 0.1, {}, 0, []],
    [0.6, 0.05, { symptoms: 0.5 }, 0, []],
    [0.3, 0.2, {}, 0, []],
  ])(
    'of an item %d, of its sentence %d, of a talk of %j, told before %d',
    (abuse, sentence, around, told, expected) => {
      const lines = ['C: He waits by my car at night.', 'T: Oh.', 'C: It is a bit swollen on the left here.']
      const topics = [{ ...around, abuse: told }, around, { ...around, abuse }]
      const own = { ...figures({ affirmed: 1, denied: 0, unclear: 0 }), sentences: [sentence] }
      const found = readFindings(
        readTalk(makeTalk(...lines)),
        topics,
        lines.map(() => own),
      ).findings.flatMap((finding) =>
        finding.kind === 'danger' ? [`${finding.items.join()} ${finding.certainty}`] : [],
      )
      expect(found).toEqual(expected)
    },
  )
  it.each<[string, TopicScores, number, number, string]>([
    ['symptoms of the mind', { symptoms: 0.5 }, 0.85, 0.05, 'plain'],
    ['the body', { medical: 0.5 }, 0.85, 0.05, 'plain'],
    ['both', { medical: 0.5, symptoms: 0.5 }, 0.55, 0.3, 'plain'],
    ['the body, at a low figure', { medical: 0.5 }, 0.3, 0.5, 'suspected'],
  ])('believes it of harm to oneself in talk about %s', (_, around, score, sentence, certainty) => {
    const lines = [
      'C: I just keep thinking everybody would get along better once I am out of the picture, and I have sorted the insurance.',
    ]
    const own = { ...figures({ affirmed: 1, denied: 0, unclear: 0 }), sentences: [sentence] }
    const { findings } = readFindings(readTalk(makeTalk(...lines)), [{ ...around, risk_self: score }], [own])
    expect(findings).toMatchObject([{ kind: 'danger', matter: 'suicide', certainty }])
  })
  it('needs more of a clinician who has no word for it, and nothing where there is one', () => {
    const countFound = (line: string): number =>
      readFindings(
        readTalk(makeTalk(line)),
        [{ abuse: 0.8 }],
        [{ ...figures({ affirmed: 1, denied: 0, unclear: 0 }), sentences: [0.3] }],
      ).findings.filter(({ kind }) => kind === 'danger').length
    expect(countFound('C: So five is when he walks in at the door.')).toBe(1)
    expect(countFound('T: So five is when he walks in at the door.')).toBe(0)
    expect(countFound('T: You told me he hit you on Friday.')).toBe(1)
  })
})

describe('what a clinician typed is to be done', () => {
  const readTyped = (line: string): string[] =>
    readFindings(readTalk(makeTalk(`T: ${line}`).map((item) => ({ ...item, source: 'typed' as const }))), [
      { risk_self: 0.8 },
    ]).findings.flatMap((one) => (one.kind === 'danger' ? [`${one.element} ${one.standing}`] : []))

  it.each([
    ['Plan: call 988 if it gets worse', []],
    ['Plan: go to the ED should symptoms worsen.', []],
    ['Plan: call 988 if SI worsens', ['unspecified unclear']],
    ['Plan: to overdose on Friday', ['attempt affirmed', 'plan affirmed']],
    ['Plan: denied', ['plan unclear']],
    [
      'Has a plan: call 988 if it gets worse, overdose if nobody answers',
      ['attempt affirmed', 'plan affirmed'],
    ],
  ])('%s', (line, expected) => {
    expect(readTyped(line)).toEqual(expected)
  })
  it('is no control of anybody', () => {
    const found = readFindings(
      readTalk(
        makeTalk('T: Follow-up in two weeks. Following up with the school.').map((item) => ({
          ...item,
          source: 'typed' as const,
        })),
      ),
      [{}],
    ).findings
    expect(found.filter(({ kind }) => kind === 'danger')).toEqual([])
  })
})
