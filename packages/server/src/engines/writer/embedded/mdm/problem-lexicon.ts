/** A thing that is named as a problem, with the words that name it. The first name that was said is used. */
export interface ProblemNames {
  group: ProblemGroup
  /** Diagnosis words that the speakers used; the name is what they said, spelled out, and no more than that. */
  diagnoses: readonly (readonly [RegExp, string])[]
  /** What it is called when only symptoms were said. */
  symptoms: RegExp | null
  symptomName: string
  kind: 'psychiatric' | 'medical' | 'situational'
}

export type ProblemGroup =
  | 'depression'
  | 'anxiety'
  | 'panic'
  | 'bipolar'
  | 'psychosis'
  | 'trauma'
  | 'ocd'
  | 'adhd'
  | 'sleep'
  | 'alcohol'
  | 'opioids'
  | 'substances'
  | 'eating'
  | 'blood_pressure'
  | 'diabetes'
  | 'thyroid'
  | 'pain'
  | 'asthma'
  | 'cholesterol'
  | 'stress'
  | 'grief'

export const PROBLEMS: readonly ProblemNames[] = [
  {
    group: 'depression',
    diagnoses: [
      [/\b(?:major depressive disorder|major depression|MDD)\b/i, 'Major depressive disorder'],
      [/\bpostpartum depression\b/i, 'Postpartum depression'],
      [/\b(?:dysthymia|persistent depressive disorder)\b/i, 'Persistent depressive disorder'],
      [/\bdepression\b/i, 'Depression'],
    ],
    symptoms:
      /\b(?:depressed|hopeless|worthless|empty inside|feel(?:ing)? (?:really |so |pretty |very )?(?:down|low|sad|empty|numb)|low mood|mood (?:is|has been|was) (?:low|down|bad)|no motivation|lost interest|don't enjoy|not enjoying|crying|tearful|nothing matters)\b/i,
    symptomName: 'Low mood',
    kind: 'psychiatric',
  },
  {
    group: 'bipolar',
    diagnoses: [
      [/\bbipolar (?:two|ii|2)\b/i, 'Bipolar II disorder'],
      [/\bbipolar (?:one|i|1)\b/i, 'Bipolar I disorder'],
      [/\bbipolar\b/i, 'Bipolar disorder'],
      [/\b(?:hypomania|mania|manic episode)\b/i, 'Mania'],
    ],
    symptoms:
      /\b(?:manic|hypomanic|racing thoughts|thoughts are racing|mind is racing|on top of the world|spending spree|mood swings|don't need (?:any |much )?sleep|not needing sleep)\b/i,
    symptomName: 'Elevated mood or racing thoughts',
    kind: 'psychiatric',
  },
  {
    group: 'psychosis',
    diagnoses: [
      [/\bschizoaffective\b/i, 'Schizoaffective disorder'],
      [/\bschizophrenia\b/i, 'Schizophrenia'],
      [/\bpsychosis\b/i, 'Psychosis'],
    ],
    symptoms:
      /\b(?:hear(?:ing|d)? (?:the |these )?voices|(?:the|these|those|my|your) voices|voices (?:are|tell|keep|come|say|got)|seeing things|paranoi[ad]|hallucinat\w+|being (?:watched|followed))\b/i,
    symptomName: 'Hallucinations or paranoia',
    kind: 'psychiatric',
  },
  {
    group: 'panic',
    diagnoses: [
      [/\bpanic disorder\b/i, 'Panic disorder'],
      [/\bpanic attacks?\b/i, 'Panic attacks'],
    ],
    symptoms: /\b(?:panick(?:ing|ed|y)|(?:the|your|my) panic)\b/i,
    symptomName: 'Panic symptoms',
    kind: 'psychiatric',
  },
  {
    group: 'anxiety',
    diagnoses: [
      [/\b(?:generalized anxiety disorder|GAD)\b(?!-?\s?(?:7|seven|2|two))/i, 'Generalized anxiety disorder'],
      [/\bgenerali[sz]ed anxiety\b/i, 'Generalized anxiety'],
      [/\bsocial anxiety(?: disorder)?\b/i, 'Social anxiety'],
      [/\banxiety\b/i, 'Anxiety'],
    ],
    symptoms: /\b(?:anxious|worr(?:y|ied|ying)|on edge|overthinking|ruminat\w+|can't relax)\b/i,
    symptomName: 'Anxiety symptoms',
    kind: 'psychiatric',
  },
  {
    group: 'trauma',
    diagnoses: [[/\b(?:PTSD|post[- ]?traumatic stress(?: disorder)?)\b/i, 'PTSD']],
    symptoms: /\b(?:flashbacks?|hypervigilant|nightmares? (?:about|of) (?:the|what)|trauma)\b/i,
    symptomName: 'Trauma symptoms',
    kind: 'psychiatric',
  },
  {
    group: 'ocd',
    diagnoses: [[/\b(?:OCD|obsessive[- ]compulsive(?: disorder)?)\b/i, 'OCD']],
    symptoms: /\b(?:intrusive thoughts|compulsions?|checking the (?:stove|locks?|doors?))\b/i,
    symptomName: 'Intrusive thoughts or compulsions',
    kind: 'psychiatric',
  },
  {
    group: 'adhd',
    diagnoses: [
      [/\b(?:ADHD|A\.D\.H\.D|ADD|attention[- ]deficit(?: disorder| hyperactivity disorder)?)\b/, 'ADHD'],
    ],
    symptoms:
      /\b(?:(?:can't|cannot|trouble|hard to|difficulty) (?:concentrat\w+|focus\w*)|distract(?:ed|ible|ion))\b/i,
    symptomName: 'Attention difficulties',
    kind: 'psychiatric',
  },
  {
    group: 'sleep',
    diagnoses: [
      [/\binsomnia\b/i, 'Insomnia'],
      [/\bsleep apnea\b/i, 'Sleep apnea'],
    ],
    symptoms:
      /\b(?:(?:can't|cannot|couldn't|trouble|hard to|difficulty|unable to) (?:fall(?:ing)? |stay(?:ing)? |get(?:ting)? )?(?:a)?sleep(?:ing)?|wak(?:e|ing) up (?:at|in the|during|every|several|two|three|four)|not sleeping|sleep(?:ing)? (?:is|has been|was) (?:bad|poor|terrible|awful|rough|broken)|nightmares|hours of sleep|(?:two|three|four|five|[2-5]) hours (?:a|per|each) night|only sleep(?:ing)?|barely sle(?:ep|pt|eping)|haven't slept)\b/i,
    symptomName: 'Sleep disturbance',
    kind: 'psychiatric',
  },
  {
    group: 'alcohol',
    diagnoses: [
      [/\balcohol use disorder\b/i, 'Alcohol use disorder'],
      [/\balcoholism\b/i, 'Alcoholism'],
    ],
    symptoms:
      /\b(?:drinking (?:more|again|too|every|a lot|most|heavily)(?! (?:coffee|water|tea|soda|caffeine))|drinks? (?:a|per|every) (?:day|night)|blackouts?|craving (?:alcohol|a drink)|been drinking(?! (?:\w+ )?(?:coffee|water|tea|soda))|beers a (?:day|night)|bottles? of wine)\b/i,
    symptomName: 'Alcohol use',
    kind: 'psychiatric',
  },
  {
    group: 'opioids',
    diagnoses: [[/\bopi(?:oid|ate) use disorder\b/i, 'Opioid use disorder']],
    symptoms: /\b(?:heroin|fentanyl|using opioids|pain pills)\b/i,
    symptomName: 'Opioid use',
    kind: 'psychiatric',
  },
  {
    group: 'substances',
    diagnoses: [[/\bsubstance use disorder\b/i, 'Substance use disorder']],
    symptoms: /\b(?:relapsed?|cravings?|days sober|cocaine|meth|smoking (?:weed|pot)|weed every|cannabis)\b/i,
    symptomName: 'Substance use',
    kind: 'psychiatric',
  },
  {
    group: 'eating',
    diagnoses: [[/\b(?:anorexia|bulimia|binge eating disorder|eating disorder)\b/i, 'Eating disorder']],
    symptoms: /\b(?:binge(?:ing|d)?|purging|purged)\b/i,
    symptomName: 'Disordered eating',
    kind: 'psychiatric',
  },
  medical(
    'blood_pressure',
    /\b(?:hypertension|high blood pressure|blood pressure (?:pills?|medications?|meds?|medicine))\b/i,
    'High blood pressure',
  ),
  medical('diabetes', /\b(?:diabetes|diabetic)\b/i, 'Diabetes'),
  medical(
    'thyroid',
    /\b(?:hypothyroid(?:ism)?|hyperthyroid(?:ism)?|thyroid (?:problem|disease|condition))\b/i,
    'Thyroid condition',
  ),
  medical('pain', /\b(?:back pain|chronic pain|migraines?|arthritis|fibromyalgia)\b/i, 'Pain'),
  medical('asthma', /\basthma\b/i, 'Asthma'),
  medical('cholesterol', /\b(?:high )?cholesterol\b/i, 'Cholesterol'),
  {
    group: 'grief',
    diagnoses: [[/\bgrie(?:f|ving)\b/i, 'Grief']],
    symptoms: null,
    symptomName: 'Grief',
    kind: 'situational',
  },
  {
    group: 'stress',
    diagnoses: [[/\b(?:stress(?:ed|ful)?|overwhelmed)\b/i, 'Situational stress']],
    symptoms: null,
    symptomName: 'Situational stress',
    kind: 'situational',
  },
]

function medical(group: ProblemGroup, pattern: RegExp, name: string): ProblemNames {
  return { group, diagnoses: [[pattern, name]], symptoms: null, symptomName: name, kind: 'medical' }
}
