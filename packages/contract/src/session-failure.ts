import { Type, type Static } from 'typebox'

export const SessionFailure = Type.Object(
  {
    code: Type.String({
      description: 'Stable: branch on this. New ones may come; the guide about errors lists those of now',
      examples: ['fetch_not_found'],
    }),
    message: Type.String({
      description: 'The same in words, with nothing of the session in it',
      examples: ['The file was not fetched: the file server has no file at this link.'],
    }),
    retryable: Type.Boolean({
      description:
        'Something was wanting that may be there now: `POST /sessions/{sessionId}/retry` can help. `false`: it would end the same way again',
    }),
  },
  { $id: 'SessionFailure', description: 'Why a session failed; there is none unless its status is `failed`' },
)
export type SessionFailure = Static<typeof SessionFailure>
