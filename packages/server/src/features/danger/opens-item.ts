import type { DangerFinding } from '../../engines/reader/reading.js'

/**
 * Which findings open an item (decision 0023): said in plain words and not denied, of the client or of somebody who is in
 * danger now. What is only suspected stays on the note's list: most of it is nothing, and a strip that cries wolf is not read.
 */
export const opensItem = ({
  certainty,
  standing,
  matter,
  element,
  whose,
  time,
}: Pick<DangerFinding, 'certainty' | 'standing' | 'matter' | 'element' | 'whose' | 'time'>): boolean => {
  if (certainty !== 'plain' || standing === 'denied') return false
  // Voices are an illness; voices that command are a danger.
  if (matter === 'psychosis') return element === 'commands'
  const isOfSelf = matter === 'suicide' || matter === 'self_harm'
  // A brother's suicide years ago is the client's grief; a daughter who says it today is in danger.
  return !(isOfSelf && whose === 'other' && time === 'past')
}
