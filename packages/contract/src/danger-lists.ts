/** Apart from the schemas: the frame loads these, and none of TypeBox. */

/** `held`: a signed note says it. */
export const DANGER_STATUSES = ['open', 'closed', 'held'] as const
export type DangerStatus = (typeof DANGER_STATUSES)[number]

/** Against the note that is looked at. `older`: neither said in its session nor answered since the last signed note. */
export const DANGER_STANDINGS = ['in_note', 'not_in_note', 'older'] as const
export type DangerStanding = (typeof DANGER_STANDINGS)[number]

/** A line, not a report: the note is where it is told. */
export const dangerReasonLengthMax = 300

/** A screen asks about what it shows. */
export const dangerItemsMax = 200
