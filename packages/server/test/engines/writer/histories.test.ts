import { describe, expect, it } from 'vitest'
import { findAskedTopics } from '../../../src/engines/writer/embedded/talk/ask-topics.js'
import { shareOf } from '../../../src/engines/writer/embedded/choose/share-sections.js'
import { sectionOf } from './talk.js'

describe('a question opens', () => {
  it.each([
    ['strength', 'Who do you lean on?'],
    ['strength', 'And who is around you these days?'],
    ['strength', 'What do you do for fun?'],
    ['strength', 'What do you like?'],
    ['strength', 'What gets you through a day like that?'],
    ['goal', "If this works, what's different in June?"],
    ['goal', 'What would be different a year from now?'],
    ['goal', 'How would we know that this is working?'],
    ['goal', 'What do you want to change, for yourself?'],
    ['family_history', 'Does anyone have anything like this?'],
    ['family_history', 'Any heart problems, you or your family?'],
    ['family_history', "Anything on your mother's side?"],
    ['family_history', 'In the family?'],
    ['trauma', 'Has anyone ever hurt you?'],
    ['trauma', 'Did anything happen to you as a child?'],
    ['trauma', 'Is that something that really happened?'],
    ['medical', 'Any medical things, allergies?'],
    ['medical', 'Any surgeries?'],
    ['social', 'Any trouble with the law?'],
    ['social', 'Where did you grow up?'],
    ['social', 'Who do you live with?'],
    ['psychosis', 'Do you see or hear anything that others do not?'],
    ['mania', 'Ever have too much energy, no need for sleep?'],
    ['substance', 'Coffee?'],
  ])('%s: %s', (topic, question) => {
    expect(findAskedTopics(question)).toContain(topic)
  })

  it.each([
    ['goal', 'What is different about this week?'],
    ['goal', 'How would you know that he was angry?'],
    ['trauma', 'Has anything happened to you since we last met, this week?'],
    ['strength', 'Who do you think did it?'],
    ['strength', 'What do you think about that?'],
    ['family_history', 'Does anyone have a key to your house?'],
    ['substance', 'Did you meet her for coffee?'],
    ['social', 'Where did you feel it?'],
  ])('no %s: %s', (topic, question) => {
    expect(findAskedTopics(question)).not.toContain(topic)
  })
})

describe('a section of an intake', () => {
  it('has those who are there under strengths, without the question', async () => {
    const lines = `
      clinician: Who have you got now? Who knows?
      client: My roommate. And I call my older brother every Sunday.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'strengths_and_supports')).toMatch(
      /Supports: their roommate[\s\S]*brother/,
    )
  })

  it('has the goals that were asked for as what would be different', async () => {
    const lines = `
      clinician: If this works, what's different in June?
      client: I could give a talk without my hands shaking.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'treatment_goals')).toMatch(/talk/)
  })

  it('has an allergy in one word', async () => {
    const lines = `
      clinician: Any allergies?
      client: Penicillin. I get hives.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'allergies')).toMatch(
      /^Penicillin; they get hives\.$/,
    )
  })

  it('does not list what a relative takes among the medicines', async () => {
    const lines = `
      clinician: Anyone in the family with attention problems?
      client: My brother takes Adderall.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'current_medications')).not.toMatch(/Adderall/)
  })

  it('has what the clinician sees in somebody as one list', async () => {
    const lines = `clinician: I see someone who's alert, who's watching the door, you're open, and your mood seems low.`
    expect(await sectionOf('psychotherapy_intake', lines, 'mental_status_exam')).toMatch(
      /^Client appeared alert, watching the door, open, and mood low\.$/,
    )
  })

  it('has what it looks like to the clinician, and the number that was given', async () => {
    const lines = `
      clinician: To me it looks like social anxiety, with panic attacks.
      client: Okay. It is kind of a relief.
      clinician: And just so you have it, the crisis line is nine eight eight, and ours after hours is on this card.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'diagnostic_impression')).toMatch(/social anxiety/)
    expect(await sectionOf('psychotherapy_intake', lines, 'plan')).toMatch(/Crisis line: nine eight eight/)
  })
})

describe('under a heading of what was told', () => {
  it('nobody needs to report it', async () => {
    const lines = `
      clinician: Does anyone in your family have mental health problems?
      client: My uncle had bipolar. My dad was an alcoholic.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'family_history')).toBe(
      'Uncle had bipolar. Dad was an alcoholic.',
    )
  })

  it.each([
    ['I took Prozac for a year in college.', 'Took Prozac for a year in college.'],
    ['I was on Prozac for a year in college.', 'They were on Prozac for a year in college.'],
    ['I saw a counselor in high school.', 'Saw a counselor in high school.'],
  ])('what somebody did needs no subject, and what they were does: %s', async (told, written) => {
    const lines = `
      clinician: Have you ever been treated for anything before?
      client: ${told}
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'psychiatric_history')).toBe(written)
  })

  it.each([
    ['I sing in a choir on Sundays.', /^Sings? in a choir on Sundays\.|^They sing in a choir on Sundays\./],
    ['I get up and walk the dog.', /they get up and walk the dog/i],
  ])('what somebody does agrees with its subject: %s', async (told, written) => {
    const lines = `
      clinician: What do you do for fun?
      client: ${told}
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'strengths_and_supports')).toMatch(written)
  })

  it('what was in the family only was not their own', async () => {
    const lines = `
      clinician: Have you ever been hospitalized?
      client: In the family, only my mom.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'psychiatric_history')).not.toMatch(
      /^hospitalized in/i,
    )
  })

  it('what happened stands without all that was asked', async () => {
    const lines = `
      clinician: Did anything happen to you growing up? Being hit, or touched, or seeing violence?
      client: My dad threw things.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'trauma_history')).toBe(
      'Reported their dad threw things.',
    )
  })

  it('of a relative stands what they had, and not where they live', async () => {
    const lines = `
      clinician: Anyone in the family with mental health problems?
      client: My brother is in Tucson, we text. He's bipolar.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'family_history')).toMatch(/Brother is bipolar/)
  })

  it('how far somebody went in school stands under that word', async () => {
    const lines = `
      clinician: How far did you go in school?
      client: Eleventh grade.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'social_history')).toMatch(
      /School: eleventh grade/,
    )
  })

  it('says that somebody was seen before, if they say when', async () => {
    const lines = `
      clinician: Have you talked to anybody before?
      client: In high school, for a year.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'psychiatric_history')).toBe(
      'Talked to someone before in high school, for a year.',
    )
  })

  it('two accounts that contradict each other are reported, and not how it is', async () => {
    const lines = `
      clinician: How much alcohol do you drink?
      client: I don't drink.
      clinician: And last night?
      client: Last night I had six whiskeys.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'substance_use_history')).toMatch(
      /^Initially, client reported[^.]*drink[^.]*\. Later, client reported/,
    )
  })

  it('a pack of twelve is drink as well', async () => {
    const lines = `
      clinician: How much do you drink?
      client: I don't really drink.
      clinician: In a typical week, how many?
      client: Maybe a twelve pack on the weekend.
    `.trim()
    expect(await sectionOf('psychotherapy_intake', lines, 'substance_use_history')).toMatch(
      /^Initially, client reported they do not really drink\. Later, client reported about a twelve pack/,
    )
  })

  it('tobacco and weed are two accounts of two things', async () => {
    const lines = `
      clinician: Do you use anything, alcohol, weed?
      client: I smoke. A pack a day. I quit weed two years ago, no weed now.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'substance_use_history')).not.toMatch(/Initially/)
  })
})

describe('a psychiatric evaluation', () => {
  it('has an illness and what is taken for it in their own sections', async () => {
    const lines = `
      clinician: Any medical problems?
      client: High blood pressure. I take lisinopril, ten milligrams.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'medical_history')).toBe('High blood pressure.')
    expect(await sectionOf('psychiatric_evaluation', lines, 'current_medications')).toMatch(
      /lisinopril,? ten milligrams/i,
    )
  })

  it('has the dose of a medicine of long ago in the history', async () => {
    const lines = `
      clinician: Have you been depressed before, ever seen anybody for it?
      client: In grad school. I took Zoloft for a year. It worked.
      clinician: What dose, do you remember?
      client: Fifty. I think it was fifty.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'past_psychiatric_history')).toMatch(
      /Zoloft fifty/,
    )
    expect(await sectionOf('psychiatric_evaluation', lines, 'current_medications')).not.toMatch(/Zoloft/)
  })

  it('lists what is all that somebody takes', async () => {
    const lines = `
      clinician: Any medical problems?
      client: I was anemic, they gave me iron. That's all I take, the iron and the prenatal.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'current_medications')).toBe(
      '- Iron.\n- Prenatal.',
    )
  })

  it('says what a questionnaire was that gave a number', async () => {
    const lines = "clinician: The questionnaire you filled out, the PCL, that's a fifty one."
    expect(await sectionOf('psychiatric_evaluation', lines, 'vitals_labs')).toBe('The PCL: fifty one.')
  })

  it('begins with the sentence that was begun anew', async () => {
    const lines = `
      clinician: What made you call?
      client: I, um, so my kid got diagnosed in March, and I'm filling out his form and I'm like, wait.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'chief_complaint')).toBe(
      'Client reported their kid got diagnosed in March, and they are filling out his form.',
    )
  })

  it.each([
    [
      'I think this is schizophrenia, and it is getting better on the clozapine.',
      'Schizophrenia.',
      'It is getting better on the clozapine.',
    ],
    [
      "I think this is post traumatic stress disorder, and I don't think it's bipolar.",
      'Post traumatic stress disorder.',
      'Clinician does not think it is bipolar.',
    ],
    [
      'I think you have a major depression, on top of your grief.',
      'Major depression, on top of their grief.',
      'Assessment not discussed.',
    ],
  ])(
    'has a diagnosis by its name, and how it goes as the assessment: %s',
    async (told, diagnosis, course) => {
      const lines = `clinician: ${told}`
      expect(await sectionOf('psychiatric_evaluation', lines, 'diagnoses')).toBe(diagnosis)
      expect(await sectionOf('psychiatric_evaluation', lines, 'assessment')).toBe(course)
    },
  )

  it('has what somebody came for, and not who sent them', async () => {
    const lines = `
      clinician: What brings you in?
      client: My girlfriend made the appointment for me. I think I have ADHD.
    `.trim()
    const chief = await sectionOf('psychiatric_evaluation', lines, 'chief_complaint')
    expect(chief).toMatch(/ADHD/)
  })

  it('lists what is seen as a status does', async () => {
    const lines =
      "clinician: You've been tapping your foot, you jumped topics on me a few times, and your thinking is logical."
    expect(await sectionOf('psychiatric_evaluation', lines, 'mental_status_exam')).toMatch(
      /^Tapping their foot[^.]*thinking logical\.$/,
    )
  })

  it.each([
    ['Two of three.', 'Memory: two of three words'],
    ["That's two out of three.", 'Memory: two of three words'],
    ['You got all three.', 'Memory: all three words'],
  ])('tells what a test of memory gave: %s', async (told, written) => {
    const lines = `
      clinician: I'd like to check your memory. Can you tell me the date?
      client: It's the fourth of November.
      clinician: And the three words that I gave you at the start?
      client: Apple, table, and, uh. No, I lost it.
      clinician: ${told}
    `.trim()
    const status = await sectionOf('psychiatric_evaluation', lines, 'mental_status_exam')
    expect(status).toContain(written)
    expect(await sectionOf('psychiatric_evaluation', lines, 'plan')).not.toMatch(/memory/)
  })

  it('tells of no memory where a count is of something else', async () => {
    const lines = `
      clinician: How many of your pills did you take?
      client: Most of them, I think.
      clinician: Two of three.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'mental_status_exam')).not.toMatch(
      /two of three/i,
    )
  })

  it('has what the clinician reads from the chart', async () => {
    const lines = `
      clinician: And your medical problems? I have atrial fibrillation and the knee replacement.
      client: That's all of it.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'medical_history')).toMatch(
      /^Atrial fibrillation and the knee replacement \(per clinician\)\.$/,
    )
  })

  it('takes a person whom the sentence names for nobody else', async () => {
    const lines = `
      clinician: What happened?
      client: My supervisor said I should come. A patient, he choked me in June.
    `.trim()
    expect(await sectionOf('psychiatric_evaluation', lines, 'history_of_present_illness')).not.toMatch(
      /supervisor choked/,
    )
  })
})

describe('the share of a section', () => {
  it('gets smaller with each statement, but in notes of few sections', () => {
    expect(shareOf('psychotherapy_intake', 'family_history', 2)).toBeLessThan(
      shareOf('psychotherapy_intake', 'family_history', 1),
    )
    expect(shareOf('soap', 'subjective', 5)).toBe(1)
  })

  it('stays whole for the first statements of the present illness', () => {
    expect(shareOf('psychiatric_evaluation', 'history_of_present_illness', 3)).toBe(1)
  })
})
