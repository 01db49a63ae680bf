import type { Spoken } from '../talk/read-session.js'
import type { Statement } from '../statement/statement.js'

/** "That was relaxing": said of what was just done. */
const evaluates =
  /^(?:okay,? |wow,? |huh,? )*(?:that|it|this) (?:was|felt|feels) (?:\w+ ){0,2}(?:relaxing|calming|soothing|weird|strange|hard|tough|scary|intense|nice|good|different|helpful|uncomfortable|awkward|silly|freeing|a relief|harder|worse)\b/i

/** Turns within which what the client says is taken as their response to an intervention. */
const responseItems = 6

/** Whether what the client says answers to the last intervention: they feel, rate, notice or are asked how it was. */
export const isResponseTo = (intervention: Statement | null, spoken: Spoken): boolean => {
  if (intervention === null) return false
  const since = spoken.item - (intervention.items.at(-1) ?? 0)
  const strong =
    /\b(?:calm\w*|lighter|softer|relief|relieved|makes? sense|never thought|realiz\w*|less alone|came down|helped|I see (?:that|it) now|from (?:like )?an? \w+ to an? \w+|now it's|when I came in|percent|didn't expect|thought it(?:'d| would) be (?:\w+ )?worse|not as bad|can't really tell|didn't freeze|proud|closer|connected|hopeful|needed to hear|by itself|goes (?:away|down)|went down|was nice|exactly it|feels? better|easier|believe)\b/i
  if (strong.test(spoken.said) && since <= 3 * responseItems) return true
  const asked = spoken.question?.clean ?? ''
  const isInvited =
    /\b(?:how(?:'s|'d| (?:was|is|are|do you feel|does|did|much|strongly))|what(?:'s| (?:do you (?:notice|make|see)|comes up|was that like|are you noticing|would be|does that tell))|where (?:is|are you)|where's|(?:zero|one) to (?:ten|a hundred)|now\b|rate)\b/i.test(
      asked,
    )
  const isRated = /\b(?:zero|one) to (?:ten|a hundred)\b|\bnumber\b|\bnow\b/i.test(asked)
  if (isRated && since <= 2 * responseItems) return true
  return (
    since <= responseItems &&
    (isInvited ||
      evaluates.test(spoken.clean) ||
      /\b(?:evidence|noticed?|I feel|I felt|list|weird|hard, but|I'd try|nobody)\b/i.test(spoken.said))
  )
}
