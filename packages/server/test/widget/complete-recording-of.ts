import { uploadSegment, type SignedIn } from './widget-fixture.js'

/** A session whose recording, of bytes that nobody will decode, has arrived. */
export async function completeRecordingOf(clinician: SignedIn, sessionId: string): Promise<void> {
  const uploadId = await uploadSegment(clinician, sessionId, Buffer.from('a recording'))
  const answer = await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
  if (answer.statusCode !== 200) throw new Error(`not completed: ${answer.statusCode} ${answer.body}`)
}
