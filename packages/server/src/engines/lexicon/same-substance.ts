/** Names of one substance in different countries, each with a line of its own because notes keep the name that is used there. */
const SAME_SUBSTANCES: readonly (readonly string[])[] = [
  ['albuterol', 'albuterol sulfate', 'salbutamol'],
  ['acetaminophen', 'paracetamol'],
  ['nitroglycerin', 'glyceryl trinitrate'],
  ['dextroamphetamine', 'dexamfetamine'],
  ['nicotine', 'nicotine replacement'],
  ['hydrocortisone', 'hydrocortisone cream'],
  ['divalproex', 'sodium valproate', 'valproic acid'],
]

const firstOf = new Map(SAME_SUBSTANCES.flatMap((names) => names.map((name) => [name, names[0] ?? name])))

/** Under which name a medicine is compared with others. */
export const substanceOf = (generic: string): string => {
  const lower = generic.toLowerCase()
  return firstOf.get(lower) ?? lower
}
