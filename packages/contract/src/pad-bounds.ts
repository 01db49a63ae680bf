/** Apart from the schema: the frame loads them without TypeBox. A few pages; what is longer is a note, and is written there. */
export const padLengthMax = 10_000

/** One every twenty seconds of an hour; more of them mark nothing. */
export const markersMax = 200
