import type { Medication, MedicationClass } from '../../../lexicon/medications.js'
import type { ProblemGroup } from './problem-lexicon.js'

/** What a class is usually given for, nearest first. Only to find which of the stated problems a decision is about. */
const groupsOfClass: Readonly<Record<MedicationClass, readonly ProblemGroup[]>> = {
  ssri: ['depression', 'anxiety', 'panic', 'ocd', 'trauma'],
  snri: ['depression', 'anxiety', 'panic', 'pain'],
  other_antidepressant: ['depression', 'sleep', 'anxiety'],
  tca: ['depression', 'sleep', 'pain'],
  maoi: ['depression'],
  anxiolytic: ['anxiety', 'panic', 'trauma', 'sleep', 'adhd'],
  benzodiazepine: ['panic', 'anxiety', 'sleep'],
  mood_stabilizer: ['bipolar', 'depression', 'anxiety', 'pain'],
  second_generation_antipsychotic: ['psychosis', 'bipolar', 'depression', 'sleep'],
  first_generation_antipsychotic: ['psychosis', 'bipolar'],
  long_acting_injectable: ['psychosis', 'bipolar'],
  adhd_wake: ['adhd'],
  sleep: ['sleep', 'anxiety'],
  substance_use: ['opioids', 'alcohol', 'substances'],
  cognition_movement: ['psychosis'],
  common_medical: ['blood_pressure', 'diabetes', 'thyroid', 'pain', 'asthma', 'cholesterol'],
}

export const listGroups = ({ medicationClass }: Medication): readonly ProblemGroup[] =>
  groupsOfClass[medicationClass]
