import { describe, expect, it } from 'vitest'
import { talk, textOf, write } from './talk.js'

const noteOf = async (lines: string): Promise<string> =>
  textOf(
    await write(
      'soap',
      talk(
        `clinician: How was your week? I have been thinking about what you told me on the phone, and I am glad that you could come in today after all of that.\nclient: Thanks. It took me a while to get here, they are tearing up the street again and I had to go around the park twice, and then I could not find the door.\nclinician: It happens to everybody, they put the sign on the wrong side.\nclient: Ha, good, I thought it was only me, I was standing out there like a fool.\nclinician: So, how was it?\nclient: I slept five hours a night and I argued with my wife.\n${lines}`,
      ),
    ),
  )

/** The clinical sheet's table 1.5: state, what was said, what must be written, what never. */
const table: [state: string, said: string, written: RegExp, never: RegExp][] = [
  [
    'asked and denied',
    'clinician: Any thoughts of suicide?\nclient: No.',
    /denied thoughts of suicide when asked/,
    /homicidal|a plan|intent|low risk/i,
  ],
  [
    'of two things that were asked, one is denied',
    'clinician: Any guns at home, or a lot of medication?\nclient: No guns. My husband has some Vicodin from his knee.',
    /denied guns when asked/,
    /denied[^.]*medication/i,
  ],
  [
    'of two things that were asked, one is denied in a clause of its own',
    'clinician: Do you have access to a gun or to pills at home?\nclient: No, there is no gun at home. My sister keeps my pills.',
    /denied a gun when asked/,
    /denied[^.;]*pills/i,
  ],
  [
    'a picture in the head is no wish',
    'clinician: Do you get any thoughts of harming her?\nclient: I see a knife sometimes. I put them all away. I hate it.',
    /unclear response \("I see a knife sometimes/,
    /endorsed|denied/i,
  ],
  [
    'how often says that it is so',
    "clinician: Do you ever wish that you were dead?\nclient: Some nights. I wouldn't do anything about it.",
    /endorsed wishing that they were dead \("Some nights/,
    /denied/i,
  ],
  [
    'asked twice, for the first was not heard',
    'clinician: Any thoughts of ending your life?\nclient: Pardon?\nclinician: Have you thought about ending your life?\nclient: No.',
    /denied thinking about ending their life/,
    /unclear|unanswered/i,
  ],
  [
    'once, and not now',
    'clinician: Any thoughts of suicide?\nclient: I did, when I was sixteen. Not now.',
    /past suicidal thoughts \("I did, when I was sixteen"\)/,
    /endorsed/i,
  ],
  [
    'left open, and come back to much later',
    "clinician: Any thoughts of killing yourself?\nclient: Can we do a different question.\nclinician: How far did you go in school?\nclient: I got my GED.\nclinician: And what do you do for work now?\nclient: I answer the phones at a vet.\nclinician: Who is at home?\nclient: My boyfriend.\nclinician: What do you do for fun?\nclient: I walk the dog.\nclinician: When I asked about dying, you asked for another question.\nclient: I'm not going to do anything this week, okay?",
    /"I'm not going to do anything this week/,
    /denied|endorsed/i,
  ],
  [
    'a question that has the "not" keeps it',
    'clinician: Have you had thoughts of killing yourself, or of not wanting to be here?\nclient: Yeah. At night, mostly.',
    /endorsed thoughts of killing themselves, or of not wanting to be here/,
    /denied/i,
  ],
  [
    'whether they would is not whether they did',
    'clinician: Would you ever hurt yourself?\nclient: No.',
    /denied that they would hurt themselves/,
    /denied hurting|not assessed/i,
  ],
  [
    'what the checker would not bear out is told in their own words',
    'clinician: Do you ever wish you could go to sleep and not wake up?\nclient: I did, when I was sixteen. Not now.',
    /Asked, "Do you ever wish you could go to sleep and not wake up", client responded, "I did, when I was sixteen\. Not now"/,
    /endorsed|denied/i,
  ],
  [
    'a figure of speech about death is none',
    "clinician: How are you, after four shifts?\nclient: I'm dead, I'm honestly dead.",
    /ideation not assessed/,
    /\bdead\b/i,
  ],
  [
    'denied, and life wanted',
    "clinician: Any thoughts of not wanting to live, or of hurting yourself?\nclient: No. I'm worn out but I want to be here.",
    /denied thoughts of not wanting to live/,
    /unclear|review required/i,
  ],
  [
    'a wish in a long sentence is what is quoted',
    "clinician: Any thoughts of killing yourself, or wishing you weren't alive?\nclient: In the winter there was this one night where I, um, I thought it would all be easier if I just didn't wake up. I never wanted to do anything.",
    /passive suicidal ideation \("[^"]*didn't wake up"\)/,
    /\("I never wanted/i,
  ],
  [
    'no to a "but" that takes it back',
    "clinician: Any thoughts of not wanting to live?\nclient: No. I want to be here but some nights I wouldn't mind if I didn't wake up.",
    /review required|endorsed/,
    /denied thoughts of not wanting/i,
  ],
  [
    'a wish not to wake up, said of their own accord',
    "clinician: What are the nights like?\nclient: Long. Some nights I wouldn't mind if I didn't wake up.",
    /"[^"]*wouldn't mind if I didn't wake up"[^.]*review required|endorsed passive/,
    /not assessed\. |denied/i,
  ],
  [
    'sleeping in is no wish',
    "clinician: What are the nights like?\nclient: Long. And then on Monday I didn't wake up until noon.",
    /Suicidal and homicidal ideation not assessed/,
    /endorsed|review required/i,
  ],
  [
    'only what was asked is denied',
    'clinician: Are you having thoughts of killing yourself?\nclient: No, none.\nclinician: Okay. See you Monday.',
    /denied thoughts of killing themselves/,
    /denied[^.]*(?:homicid|harming|others)/i,
  ],
  [
    'denied of their own accord',
    "clinician: Tell me about Friday.\nclient: It was rough, and I want to say I'm not suicidal.",
    /Client denied being suicidal/,
    /endorsed/i,
  ],
  [
    'asked and affirmed',
    "clinician: Do you have thoughts that you'd be better off dead?\nclient: Sometimes. I wish I just didn't wake up.",
    /endorsed passive suicidal ideation \("[^"]*wake up"\)/,
    /denied|active/i,
  ],
  [
    'volunteered',
    'clinician: And at night?\nclient: I want to die when it gets like that.',
    /"I want to die when it gets like that"/,
    /denied|passive/i,
  ],
  [
    'asked and not really answered',
    'clinician: Any thoughts of suicide?\nclient: Not really. I mean, you know how it is.',
    /unclear response \("Not really|unclear response/,
    /denie[sd]|endorsed/i,
  ],
  [
    'answered with a joke',
    'clinician: Any thoughts of hurting anyone else?\nclient: Only my printer. Just kidding. No.',
    /unclear response/,
    /denie[sd]/i,
  ],
  [
    'negated twice',
    "clinician: Are you thinking about suicide?\nclient: I'm not not thinking about it.",
    /unclear response \("I'm not not thinking about it"\)/,
    /denie[sd]|endorsed/i,
  ],
  [
    'never, but',
    "clinician: Any thoughts of suicide?\nclient: I'd never do it, but it crosses my mind.",
    /unclear/,
    /denie[sd]/i,
  ],
  [
    'not discussed',
    'clinician: Let us meet next Monday at ten.\nclient: Okay.',
    /Suicidal and homicidal ideation not assessed\./,
    /denie[sd]|low risk|no safety concerns/i,
  ],
  [
    'historical',
    'clinician: Have you ever thought about suicide?\nclient: In college, yeah, there was a time I thought about it.',
    /reported past suicidal thoughts \("In college/,
    /endorsed|denied/i,
  ],
  [
    'a third person',
    'clinician: What happened?\nclient: My brother killed himself in 2019.',
    /their brother killed himself in 2019[^]*not assessed/,
    /Client (?:endorsed|denied|reported past)/,
  ],
  [
    'a promise',
    'clinician: Will you text the line before you cut?\nclient: Yeah. I will text.',
    /not assessed/,
    /endorsed|self-harm/i,
  ],
  [
    'what is cut back',
    'clinician: How important is it to you to cut back?\nclient: Seven. I drink a six pack a night.',
    /not assessed/,
    /self-harm|endorsed/i,
  ],
  [
    'harm to self and harm to others, two answers',
    'clinician: Any thoughts of hurting yourself?\nclient: No.\nclinician: And any thoughts of hurting someone else?\nclient: No, never.',
    /denied thoughts of hurting themselves[^]*denied thoughts of hurting someone else|denied thoughts of hurting themselves and thoughts of hurting someone else/i,
    /not assessed|review/i,
  ],
  [
    'asked without a question mark, in one breath with thanks',
    'clinician: Thank you for telling me and any thoughts of hurting someone else.\nclient: No, never.',
    /denied thoughts of hurting someone else/i,
    /review required/i,
  ],
  [
    'an open answer that a later denial does not close',
    'clinician: Have you had thoughts that you would be better off dead?\nclient: Well, she would be better off with somebody else. But not dying.\nclinician: No thoughts of suicide?\nclient: No.',
    /unclear response[^]*denied thoughts of suicide/i,
    /unanswered/i,
  ],
  [
    'cutting, told in passing',
    'clinician: And then?\nclient: I went to my room. I cut.',
    /endorsed self-harm \("I cut"\)/i,
    /denied/i,
  ],
  [
    'a wish not to live that begins like a denial',
    "clinician: Do you ever wish you were dead?\nclient: I wouldn't mind if I didn't wake up. I say it to the Lord most nights.",
    /endorsed passive suicidal ideation \("I wouldn't mind if I didn't wake up"\)/,
    /denied/i,
  ],
  [
    'a wish not to live after a plain no',
    "clinician: Any thoughts of suicide?\nclient: No. I just don't want to be here.",
    /unclear response/,
    /denied/i,
  ],
  [
    'asked, and something said before the answer',
    'clinician: Any thoughts of hurting anyone else? Your boss came up the last time that we talked.\nclient: No. I am over it.',
    /denied thoughts of hurting anyone else/i,
    /unanswered|review required/i,
  ],
  [
    'what speaks for living, said with the denial',
    "clinician: Any thoughts of ending your life, at any time?\nclient: No. I've got a grandchild coming in the spring.",
    /denied thoughts of ending their life[^]*grandchild/i,
    /at any time|review required/i,
  ],
  [
    'others would be better off',
    "clinician: And at night?\nclient: I caught myself thinking that they'd be better off. I did the math.",
    /they'd be better off"; clinician review required/,
    /denied|not assessed/i,
  ],
  [
    'wanting to be dead, asked back and denied',
    "clinician: When it is bad, do you think about dying?\nclient: Not like doing anything.\nclinician: Is that wanting to be dead, or wanting this part to be over?\nclient: Over. I don't want to be dead.",
    /denied wanting to be dead/i,
    /endorsed/i,
  ],
  [
    'denied now, and so once',
    "clinician: Any wish not to wake up?\nclient: No. I had that in the spring. I don't have it now.",
    /denied any wish not to wake up when asked \("I had that in the spring"\)/i,
    /endorsed/i,
  ],
  [
    'figures of speech',
    'clinician: How is work?\nclient: This commute is killing me and I am dead tired.',
    /not assessed/,
    /killing|dead tired|endorsed/i,
  ],
]

describe('risk', () => {
  it.each(table)('%s', async (_state, said, written, never) => {
    const note = await noteOf(said)
    expect(note).toMatch(written)
    expect(note).not.toMatch(never)
  })

  it.each([
    "I don't want to live like this.",
    "I don't have the energy to.",
    'No more than usual.',
    'No one would notice.',
    'Nothing matters.',
    "Nothing I'd act on.",
    'None of your business.',
    "I haven't decided.",
    "I don't think so.",
    'Not since Tuesday.',
    'No. Well, sometimes.',
    "Nah. I mean, I've thought about it.",
    'No. Yesterday I did, a little.',
    'No. I think about it all the time, but no.',
  ])('is not denied by what only begins like a denial: %s', async (said) => {
    const note = await noteOf(`clinician: Any thoughts of suicide?\nclient: ${said}`)
    expect(note).toMatch(/unclear response|endorsed/)
    expect(note).not.toMatch(/denie[sd]/i)
  })

  it.each([
    "I have days. I wouldn't call it that.",
    'I am just tired.',
    'Sometimes I think they would manage.',
  ])('is not endorsed by what only begins like a yes: %s', async (said) => {
    const note = await noteOf(`clinician: Any thoughts of suicide?\nclient: ${said}`)
    expect(note).toMatch(/unclear response/)
    expect(note).not.toMatch(/endorsed|denied/i)
  })

  it.each([
    'No.',
    'No. I used to, in ninth grade, but no.',
    'Nope, none.',
    'No ma’am.',
    'Never.',
    'Nothing like that.',
    "I'm not suicidal.",
    "I haven't had any.",
  ])('is denied by %s', async (said) => {
    expect(await noteOf(`clinician: Any thoughts of suicide?\nclient: ${said}`)).toMatch(/denied/)
  })

  it('is never denied by a voice that is not known to be the client’s', async () => {
    const note = textOf(
      await write(
        'dap',
        talk('clinician: Any thoughts of suicide?\nspeaker_2: No.\nclinician: Okay, see you next Monday.'),
      ),
    )
    expect(note).toMatch(/A participant denied thoughts of suicide/)
    expect(note).not.toMatch(/Client denied/)
  })
})
