/**
 * Notes of the bundled sessions, written by hand as the prompts ask for them ("denies … when asked", digits or words, roles
 * for family, an evasive answer quoted without a word on what it means), with the sentence that the product adds where
 * nothing was asked. The proof must take them for what they are.
 */
export const obedientNotes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'active-si-crisis': {
    subjective:
      'Client lost their job of 11 years on Tuesday and "can\'t see a way out." Client reports thinking about killing themselves since Wednesday, "pretty much all the time." Client counted their pills and has about 60 trazodone at home. Asked about intent, client states "I don\'t know" and wrote a note to their daughter last night. At age 19 client took pills and was in the hospital for three days. Client drank a few beers last night and is alone at home this week. Client states they do not want to leave their daughter.',
    objective: 'Client was tearful, spoke very quietly and was able to think through the steps.',
    assessment: "Clinician states worry about the client's safety.",
    plan: "Client agreed to be seen at the emergency department today. Clinician will call ahead and, with the client's permission, call the client's brother to drive them. Clinician will follow up with the hospital tomorrow and see the client within two days of discharge.",
  },
  'clozapine-voices-risk': {
    chief_complaint: 'Patient states "I had to" come after discharge from Mercy.',
    history_of_present_illness:
      'Patient was at Mercy for about 11 days and was discharged on Tuesday. The voices had told the patient to walk out in front of the bus. Patient denies hearing voices right now; they were last heard last night, quieter, "like mumbling." Patient can now "kind of say no" to them.',
    psychiatric_review_of_systems: '',
    past_psychiatric_history:
      'Past medicines are risperidone, olanzapine with weight gain, and haloperidol with stiffness.',
    substance_use_history:
      'Patient smokes one pack of cigarettes per day and quit cannabis about two years ago.',
    medical_history: 'Patient was told of prediabetes.',
    current_medications: 'Clozapine, patient thinks "two hundred" at night. Benztropine for drooling.',
    allergies: 'Penicillin: hives.',
    family_psychiatric_history: "Patient's brother died by suicide in 2014.",
    social_history:
      'Patient lives in a group home, and is supported by their mother and their case manager Dolores.',
    vitals_labs: '',
    mental_status_exam: 'Thoughts were organized, affect a bit flat.',
    risk_assessment:
      'Patient denies wanting to die when asked. Patient denies any plan or intent to hurt themselves when asked. Patient denies having ever attempted suicide. Patient denies thoughts of hurting somebody else when asked. There are no guns in the group home.',
    assessment: 'Provider states that the illness is getting better on clozapine.',
    diagnoses: 'Schizophrenia, as stated at Mercy.',
    plan: 'Clozapine stays at 200. Weekly CBC. The group home is to lock up and give the medication. Return in one week.',
  },
  'historical-attempt-birp': {
    behavior:
      "Client reports a suicide attempt at age 16 with a bottle of Advil, followed by one week in the hospital. Client denies any further attempts when asked. Client denies current suicidal ideation when asked. Client reports losing 10 to 15 minutes at work about 3 times per week, when someone's voice is raised. Client's eyes were more focused after the exercise. Harm to others: not asked, not mentioned.",
    intervention: 'Clinician named dissociation and led a grounding exercise.',
    response: 'Client reports feeling more present and a clearer head.',
    plan: 'Client will use grounding at work and note when it happens. Next session is on Thursday.',
  },
  'idioms-soap': {
    subjective:
      'Client is "dead tired"; the baby wakes every 2 hours. Client\'s mother-in-law helped for 10 days. Client endorses crying in the shower most days since about 2 weeks after the birth, and feeling that they do everything wrong. Client forgets to eat until dinner.',
    objective: '',
    assessment:
      'Clinician states that many new parents feel this and that it can be treated. Suicide and self-harm, harm to others: not asked, not mentioned.',
    plan: 'Client will ask their husband to take the feeding at 2 a.m. Client will call their OB. The Edinburgh scale is planned for the next session, on Monday at 1.',
  },
  'sertraline-increase': {
    interval_history:
      'Patient no longer cries every day, and still does not want to see people. Sleep is 7 hours.',
    current_medications:
      'Sertraline 25 mg in the morning, as the bottle says, one tablet; the patient had said 50 mg before.',
    adherence: 'Patient may have missed one dose last week.',
    response_to_medication: '"A little better."',
    side_effects: 'Nausea in the first week, gone since. Lower libido.',
    substance_use: 'Patient quit drinking in August.',
    vitals_labs: 'PHQ-9: 12 today, 19 in September.',
    mental_status_exam: '',
    risk_assessment:
      'Patient denies thoughts of suicide when asked. Patient denies thoughts of harming anyone else when asked.',
    assessment: 'Provider states a partial response.',
    medication_changes: 'Sertraline is increased to 50 mg in the morning, with or without food.',
    plan: 'Watch for nausea. Return in 4 weeks, and call if mood drops.',
  },
  'third-party-suicide': {
    subjective:
      'Client reports the suicide of a childhood friend last Thursday. The funeral is tomorrow, and client is a pallbearer. Client describes feeling numb and has not cried. Client sleeps 3 hours, then 2.',
    objective: 'Client stated "I needed to hear that" of the clinician\'s words.',
    assessment:
      'Clinician named numbness as a common part of early grief. Harm to others: not asked, not mentioned.',
    plan: 'Client will ask their cousin to stand next to them. Sessions next week on Monday and on Thursday at 5.',
  },
  'unclear-risk-soap': {
    subjective:
      'Client worked doubles for 6 days straight. Client sits in the car for 30 minutes before going in and describes feeling empty for about 2 months, since their roommate moved out. Asked about thoughts of suicide, client answered "I\'m not not thinking about it." Asked about killing themselves, client answered "Ha. Who has the time?" Harm to others: not asked, not mentioned.',
    objective: "Client's voice got warmer when they spoke of cooking for a friend.",
    assessment: '',
    plan: 'Client will cook for their cousin on Monday. Numbers to call at night, 988 among them, will be written down. Clinician will call on Thursday. Next session is on Tuesday at 6.',
  },
}

/** What each must not say, in words of its own kind. */
export const falseSentences: Readonly<Record<string, readonly string[]>> = {
  'active-si-crisis': ['Client denies suicidal ideation when asked.', 'Client contracted for safety.'],
  'clozapine-voices-risk': [
    'Patient denies hearing voices.',
    'Patient denies auditory hallucinations.',
    'Patient has attempted suicide once.',
    'Patient is at low risk.',
  ],
  'historical-attempt-birp': [
    'Client endorses current suicidal ideation.',
    'Client reports thoughts of suicide.',
    'Client denies homicidal ideation.',
  ],
  'idioms-soap': [
    'Client denies suicidal ideation.',
    'Client endorses thoughts of killing someone.',
    'Client reports passive suicidal thoughts.',
  ],
  'sertraline-increase': ['Sertraline is increased to 100 mg.', 'Patient has no known allergies.'],
  'third-party-suicide': [
    'Client denies suicidal ideation.',
    'Client reports thoughts of suicide.',
    'Client endorses a suicide attempt.',
  ],
  'unclear-risk-soap': ['Client denies suicidal ideation.', 'Client endorses thoughts of suicide.'],
}
