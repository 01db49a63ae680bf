import { EngineError } from './engine.js'

/** What a page knows beside a session is worth less than the session: where it is refused with it, it goes without. */
export async function sendWithContext<Answer>(
  context: object | null,
  send: (context: object | null) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(context)
  } catch (error) {
    if (context === null || !(error instanceof EngineError) || error.status !== 400) throw error
    // Names of fields, and nothing that stands in them.
    console.warn(error.message)
    return send(null)
  }
}
