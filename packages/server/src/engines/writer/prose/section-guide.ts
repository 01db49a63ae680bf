import type { NoteType } from '@casenote/contract'

/** What belongs into each section, and how many words it usually has. */

const plan =
  'Interventions to continue, homework, referrals, coordination, safety steps, medication, next appointment and its focus, each only as agreed or announced in the session. 30-90 words.'
const assessment =
  "The clinician's synthesis as voiced in the session: diagnosis as stated, change of symptoms, progress toward goals, why treatment is needed (symptom, impairment, need). No judgement of your own. 40-120 words."
const intervention = 'What the clinician did: the technique, its kind and its purpose. 40-120 words.'
const response =
  'How the client reacted: engagement, insight, skill shown, change of distress, barriers, progress toward the goal. 40-100 words.'
const mentalStatus =
  'Observations only: what the clinician says aloud of appearance, motor activity, eye contact, affect, speech, insight or judgment; mood in quotes as the client stated it; thought content and perception as asked or stated; cognition if tested. Never what happened outside the session, and nothing that nobody said. 20-80 words.'
const riskAssessment =
  'Suicidal ideation, plan, intent, access to means, past attempts, self-harm, thoughts of harming others, protective factors, safety plan: each element by the risk rules, with the question and the answer as items. A level of risk only if the clinician states it. 20-120 words.'
const substanceUse = 'Substances, amount, frequency, last use, cravings, treatment, as stated. 10-60 words.'
const vitalsLabs =
  'Vital signs, laboratory values and scale scores that were said, with their numbers. 0-40 words.'
const currentMedications =
  'Name, dose, route and frequency of each medication, exactly as said; nothing completed or corrected. 10-80 words.'
const presentIllness =
  'Onset, course, severity, frequency, triggers and impairment of the present problem. 80-200 words.'
const medicalHistory = 'Medical conditions, operations, medications and allergies, as stated. 10-80 words.'

const soap = {
  subjective:
    'What the client reported: symptoms with severity and duration, events since the last visit, stressors, homework, use of medication, sleep, appetite, substances, own view of progress. 60-150 words.',
  objective:
    'What a third party could observe and somebody says aloud in the session: engagement, affect as named by the clinician, scale scores, vitals. Never what the client claims. 30-90 words.',
  assessment,
  plan,
}

export const SECTION_GUIDE: Readonly<Record<NoteType, Readonly<Record<string, string>>>> = {
  soap,
  dap: {
    data: 'What the client reported and what was observed, and also the interventions delivered with the response to them. 80-200 words.',
    assessment,
    plan,
  },
  birp: {
    behavior:
      'Presenting behavior, statements of the client, mood and affect as stated or named, symptoms. 50-120 words.',
    intervention,
    response,
    plan,
  },
  girp: {
    goal: 'The goal or objective of the treatment plan that was worked on, as named in the session. 20-70 words.',
    intervention,
    response: `${response} Symptoms belong here too.`,
    plan,
  },
  pirp: {
    problem: 'The problem or symptom addressed, with its present severity and impairment. 30-90 words.',
    intervention,
    response,
    plan,
  },
  psychotherapy_intake: {
    presenting_problem: 'Why the client comes, in one short quote if there is one. 30-80 words.',
    history_of_present_illness: presentIllness,
    psychiatric_history: 'Earlier treatment, admissions, attempts, medication. 20-100 words.',
    medical_history: medicalHistory,
    substance_use_history: substanceUse,
    family_history: 'Illness in the family by role ("mother"), never by name. 10-60 words.',
    psychosocial_history:
      'Development, education, work, relationships, legal matters, culture, as stated. 30-120 words.',
    trauma_history: 'That something happened and what it does now; no detailed account. 0-60 words.',
    mental_status_exam: mentalStatus,
    risk_assessment: riskAssessment,
    strengths_and_supports: 'Strengths, people and resources that were named. 10-60 words.',
    diagnostic_impression: 'Diagnoses or impressions that the clinician states, word for word. 0-60 words.',
    treatment_goals: 'Goals that were agreed. 10-80 words.',
    plan,
  },
  psychiatric_evaluation: {
    chief_complaint: 'Why the client comes, in one short quote if there is one. 10-40 words.',
    history_of_present_illness: presentIllness,
    psychiatric_review_of_systems:
      'Symptoms asked about, affirmed or denied, one by one: mood, mania, psychosis, anxiety, panic, trauma, eating, attention. 40-150 words.',
    past_psychiatric_history:
      'Admissions, attempts, earlier diagnoses, trials of medication with results. 20-100 words.',
    substance_use_history: substanceUse,
    medical_history: medicalHistory,
    current_medications: currentMedications,
    allergies: 'Allergies, or their denial when asked. 0-20 words.',
    family_psychiatric_history: 'Illness in the family by role ("mother"), never by name. 10-60 words.',
    social_history: 'Living situation, work, education, relationships, legal matters. 20-100 words.',
    vitals_labs: vitalsLabs,
    mental_status_exam: mentalStatus,
    risk_assessment: riskAssessment,
    assessment: `${assessment} Differential only as voiced.`,
    diagnoses: 'Diagnoses that the clinician states, word for word. 0-60 words.',
    plan: `${plan} Also medication with reason, laboratory tests, risks and benefits discussed, consent, as said.`,
  },
  medication_management: {
    interval_history: 'What changed since the last visit. 30-100 words.',
    current_medications: currentMedications,
    adherence: 'How the medication is taken, missed doses, reasons. 5-40 words.',
    response_to_medication: 'What the medication does and does not do, as reported. 10-60 words.',
    side_effects: 'Side effects reported, or denied when asked. 5-50 words.',
    substance_use: substanceUse,
    vitals_labs: vitalsLabs,
    mental_status_exam: mentalStatus,
    risk_assessment: riskAssessment,
    assessment,
    medication_changes:
      'Each decision: start, continue, increase, decrease or stop, with name, dose and the reason given. 10-80 words.',
    plan,
  },
}
