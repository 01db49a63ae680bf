import type { MdmFindings } from '@casenote/contract'
import type { Dangers } from './find-dangers.js'
import { listMissing, type DrugDecision } from './find-drug-decisions.js'
import { evidenceOf, type Problem } from './find-problems.js'
import { describeDecision } from './judge-problem.js'
import { listMedications, unique, type Mention, type Statement } from './read-statements.js'

type Risk = MdmFindings['riskOfComplications']

/** The highest that was said; every level names what it rests on. */
export function judgeRisk(
  statements: readonly Statement[],
  {
    problems,
    decisions,
    dangers,
  }: { problems: readonly Problem[]; decisions: readonly DrugDecision[]; dangers: Dangers },
): Risk {
  if (dangers.hospital.length > 0 || dangers.emergency.length > 0) {
    const evidence = evidenceOf(dangers.hospital, dangers.emergency)
    return { level: 'high', rationale: 'Decision regarding hospitalization or escalation of care.', evidence }
  }
  const monitoring = findIntensiveMonitoring(statements)
  if (monitoring !== null) return monitoring
  const managed = decisions.filter((decision) => listMissing(decision).length === 0)
  if (managed.length > 0) {
    return {
      level: 'moderate',
      rationale: `Prescription drug management: ${managed.map(describeDecision).join('; ')}, with the reason stated.`,
      evidence: unique(managed.flatMap(({ items }) => items)),
    }
  }
  return findSocialLimits(statements) ?? judgeLesser(statements, problems, decisions)
}

function judgeLesser(
  statements: readonly Statement[],
  problems: readonly Problem[],
  decisions: readonly DrugDecision[],
): Risk {
  const [partial] = decisions
  if (partial !== undefined) {
    return {
      level: 'low',
      rationale: `A medication decision was stated without ${listMissing(partial).join(' and ')}: not counted as prescription drug management.`,
      evidence: [...partial.items],
    }
  }
  const advice = statements.filter(
    ({ text, speaker, kind }) => speaker !== 'client' && kind === 'stated' && lowRisk.test(text),
  )
  if (advice.length > 0) {
    return {
      level: 'low',
      rationale: 'Non-prescription treatment, referral or watchful waiting was advised.',
      evidence: unique(advice.slice(0, 6).flatMap(({ items }) => items)),
    }
  }
  return problems.some(({ kind }) => kind !== 'medical')
    ? { level: 'minimal', rationale: 'No treatment decision was stated.', evidence: [] }
    : { level: 'na', rationale: 'No management decision was stated in the session.', evidence: [] }
}

const lowRisk =
  /\b(?:sleep hygiene|melatonin|over[- ]the[- ]counter|therap(?:y|ist)|CBT|counsel\w+|refer(?:ral|ring)?|watch(?:ful)?|keep an eye|exercise|breathing|mindfulness|support group|AA meetings?|cut(?:ting)? back on caffeine|caffeine|see how (?:it|you|things) go)\b/i

const monitoredFor: Readonly<Record<string, RegExp>> = {
  clozapine: /\b(?:ANC|white (?:blood )?(?:cell )?count|neutrophils?|CBC|blood ?work|labs?)\b/i,
  lithium: /\b(?:level|kidney|renal|creatinine|thyroid|TSH|labs?|blood ?work)\b/i,
  divalproex: /\b(?:LFTs?|liver|platelets?|ammonia)\b/i,
  'valproic acid': /\b(?:LFTs?|liver|platelets?|ammonia)\b/i,
}
/** A level that is drawn to see whether the drug works is no monitoring for toxicity. */
const toxicity =
  /\b(?:toxic(?:ity)?|too high|side effects?|tremors?|shak\w+|unsteady|ataxia|vomiting|confus\w+|kidney|renal|creatinine|thyroid|TSH|liver|platelets?|ammonia|white (?:blood )?(?:cell )?count|ANC|neutrophils?|safe(?:ty|ly)?|slurr\w+)\b/i
const forEffect =
  /\b(?:therapeutic|see (?:if|whether) it'?s? (?:is )?(?:working|helping)|high enough|enough in your)\b/i

/** How far a laboratory test stands from the drug that it is for. */
const reach = 4

function findIntensiveMonitoring(statements: readonly Statement[]): Risk | null {
  for (const [at, statement] of statements.entries()) {
    if (statement.speaker === 'client' || statement.kind !== 'stated') continue
    const near = statements.slice(Math.max(0, at - reach), at + reach + 1)
    const drug = near
      .flatMap(listMedications)
      .find(({ medication }) => monitoredFor[medication.generic]?.test(statement.text) ?? false)
    if (
      drug === undefined ||
      !/\b(?:check|order|get|draw|repeat|monitor|need|run|watch|labs?|level|came back|looks?)\w*\b/i.test(
        statement.text,
      )
    )
      continue
    const context = near.filter(
      ({ text, kind }) => kind !== 'denied' && kind !== 'unanswered' && toxicity.test(text),
    )
    const isAlways = drug.medication.generic === 'clozapine'
    if ((context.length === 0 && !isAlways) || forEffect.test(statement.text)) continue
    return {
      level: 'high',
      rationale: `Drug therapy with monitoring for toxicity (${drug.name.toLowerCase()}); whether it is intensive, at least quarterly, is for the prescriber to confirm.`,
      evidence: unique([statement, ...context].flatMap(({ items }) => items)),
    }
  }
  return null
}

const socialLimit =
  /\b(?:can't afford (?:\w+ ){0,2}(?:medications?|meds?|prescriptions?|refills?|copays?|it|them|the)|no insurance|lost (?:my|your|her|his) insurance|(?:homeless|living in (?:my|a) car|sleeping in (?:my|a) car|in a shelter)|no (?:way|ride|transportation) to get)\b/i

function findSocialLimits(statements: readonly Statement[]): Risk | null {
  const limits = statements.filter(({ text, kind }) => kind === 'stated' && socialLimit.test(text))
  const treatment = statements.some(({ text }) =>
    /\b(?:medications?|meds?|prescription|refill|dose|appointments?|treatment)\b/i.test(text),
  )
  if (limits.length === 0 || !treatment) return null
  return {
    level: 'moderate',
    rationale: 'Treatment is limited by social circumstances, as stated.',
    evidence: unique(limits.flatMap(({ items }) => items)),
  }
}

type Crisis = Pick<
  MdmFindings,
  'crisisInterventionIdentified' | 'crisisInterventionRationale' | 'crisisInterventionEvidence'
>

/** A flag for the clinician, never a code: time and disposition are theirs to document. */
export function judgeCrisis(dangers: Dangers): Crisis {
  const isActive = dangers.ideation.length > 0
  const signs: readonly (readonly [string, readonly Mention[]])[] = [
    ['suicidal thoughts with a plan', isActive ? dangers.plan : []],
    ['intent to act', dangers.intent],
    ['a recent attempt', dangers.recentAttempt],
    ['thoughts of harming another person', dangers.harmToOthers],
    ['voices that give commands', dangers.commandVoices],
    ['inability to stay safe', dangers.unsafe],
    ['acute intoxication or withdrawal', dangers.withdrawal],
    ['disclosure of abuse', dangers.abuse],
    ['emergency services or a hold', dangers.emergency],
    ['hospital care weighed for danger to self', isActive ? dangers.hospital : []],
    [
      'a safety plan made in the session',
      isActive || dangers.passiveIdeation.length > 0 ? dangers.safetyPlan : [],
    ],
  ]
  const found = signs.filter(([, mentions]) => mentions.length > 0)
  if (found.length === 0) {
    const open = dangers.unclear.length > 0
    return {
      crisisInterventionIdentified: false,
      crisisInterventionRationale: open
        ? 'Danger to self or others was spoken of without a clear answer; clinician review is required.'
        : null,
      crisisInterventionEvidence: open ? evidenceOf(dangers.unclear) : [],
    }
  }
  return {
    crisisInterventionIdentified: true,
    crisisInterventionRationale: `Stated in the session: ${found.map(([name]) => name).join('; ')}. For the clinician to confirm; no code is assigned.`,
    crisisInterventionEvidence: evidenceOf(...found.map(([, mentions]) => mentions), dangers.ideation),
  }
}
