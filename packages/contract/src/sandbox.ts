import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

/** What a sandbox can be made to do; none of it exists for production tenants. */

/** More than there are questions in any assessment. */
const answersMax = 200

export const SandboxAnswers = Type.Object(
  {
    answers: Type.Array(
      Type.Object({
        questionKey: Type.String({ minLength: 1, maxLength: 100, examples: ['phq2_1'] }),
        answerValue: Type.Integer({ minimum: -1_000, maximum: 1_000, examples: [2] }),
      }),
      {
        minItems: 1,
        maxItems: answersMax,
        description: 'As the client would give them, one for each question that is asked',
        examples: [
          [
            { questionKey: 'phq2_1', answerValue: 2 },
            { questionKey: 'phq2_2', answerValue: 1 },
          ],
        ],
      },
    ),
  },
  { $id: 'SandboxAnswers' },
)
export type SandboxAnswers = Static<typeof SandboxAnswers>

export const SANDBOX_TOKENS = ['partner', 'clinician'] as const

export const SandboxTokenExpiry = Type.Object(
  {
    kind: oneOf(SANDBOX_TOKENS, {
      description:
        '`partner`: all partner access tokens of this tenant, the one of this call included. `clinician`: the access and refresh tokens of one clinician',
      examples: ['partner'],
    }),
    clinicianId: Type.Optional(Nullable(Id)),
  },
  { $id: 'SandboxTokenExpiry' },
)
export type SandboxTokenExpiry = Static<typeof SandboxTokenExpiry>

export const ExpiredTokens = Type.Object(
  { kind: oneOf(SANDBOX_TOKENS), clinicianId: Nullable(Id), expiredAt: Timestamp },
  { $id: 'ExpiredTokens' },
)
export type ExpiredTokens = Static<typeof ExpiredTokens>

export const FAULT_STATUSES = [429, 500, 503] as const
export type FaultStatus = (typeof FAULT_STATUSES)[number]

const FaultStatus = Type.Unsafe<FaultStatus>({
  type: 'integer',
  enum: [...FAULT_STATUSES],
  description: 'What the calls are answered with, in the body and headers that it really has',
  examples: [503],
})

/** A test provokes a handful; a hundred are gone in a second of anybody's retries. */
const faultCountMax = 100

const FaultCount = Type.Integer({
  minimum: 1,
  maximum: faultCountMax,
  description: 'How many calls are answered so',
  examples: [3],
})

export const SandboxFaultRequest = Type.Object(
  {
    status: FaultStatus,
    count: FaultCount,
    pathPrefix: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Only calls whose path begins so after `/v2`; all of them unless it is said',
          examples: ['/clients'],
        }),
      ),
    ),
  },
  { $id: 'SandboxFaultRequest' },
)
export type SandboxFaultRequest = Static<typeof SandboxFaultRequest>

export const SandboxFault = Type.Object(
  {
    status: FaultStatus,
    count: FaultCount,
    remaining: Type.Integer({ description: 'How many of them are still to come', examples: [3] }),
    pathPrefix: Nullable(Type.String({ examples: ['/clients'] })),
    createdAt: Timestamp,
  },
  { $id: 'SandboxFault' },
)
export type SandboxFault = Static<typeof SandboxFault>

export const SandboxFaults = Type.Object(
  { fault: Nullable(SandboxFault) },
  { $id: 'SandboxFaults', description: 'The one that was asked for last; `null`: none' },
)
export type SandboxFaults = Static<typeof SandboxFaults>

/** 400 days: longer than anything here is kept or expires after, and a leap year. */
export const sandboxClockSecondsMax = 400 * 86_400

export const SandboxClockMove = Type.Object(
  {
    advanceSeconds: Type.Integer({
      minimum: 1,
      maximum: sandboxClockSecondsMax,
      description: 'How far the clock of this sandbox is moved ahead; it never goes back',
      examples: [86_400],
    }),
  },
  { $id: 'SandboxClockMove' },
)
export type SandboxClockMove = Static<typeof SandboxClockMove>

export const SandboxClock = Type.Object(
  {
    now: Type.String({
      format: 'date-time',
      description:
        'What the clock of this sandbox shows: by it links expire, webhooks are tried again and recordings are kept',
      examples: ['2026-11-16T09:30:00.000Z'],
    }),
    realNow: Timestamp,
    aheadSeconds: Type.Integer({ description: 'How far it was moved, all in all', examples: [86_400] }),
  },
  { $id: 'SandboxClock' },
)
export type SandboxClock = Static<typeof SandboxClock>
