const toSet = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

/** The commonest first names of the US, those that are no other word. A name not here is found by "her brother …". */
export const firstNames = toSet(`
  james john robert michael david william richard joseph thomas charles christopher daniel matthew anthony steven paul
  andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan
  stephen larry justin scott brandon benjamin samuel gregory alexander patrick raymond jerry tyler dennis aaron jose adam
  nathan henry zachary douglas peter kyle noah ethan jeremy walter christian keith austin roger terry sean gerald carl
  dylan harold jordan jesse bryan lawrence arthur gabriel bruce logan billy joe alan juan elijah willie albert wayne randy
  vincent liam philip louis mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty
  sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca sharon laura cynthia
  dorothy amy kathleen angela shirley emma brenda pamela nicole anna samantha katherine christine debra rachel carolyn
  janet maria olivia heather helen catherine diane julie victoria joyce lauren kelly christina ruth joan virginia judith
  evelyn hannah andrea megan cheryl jacqueline madison teresa abigail sophia martha sara gloria janice kathryn ann
  isabella judy charlotte julia amber alice jean denise frances danielle marilyn natalie beverly diana brittany theresa
  kayla alexis doris lori tiffany tom tommy mike dave jim jimmy bob bobby steve chris matt tony dan danny ben sam alex
  nick jeff greg tim ken ron ed eddie kate katie liz beth jen jenny sue becky cindy debbie kathy kim mia ava luna lucas
  mateo carlos luis miguel jorge pedro ana sofia elena rosa carmen omar ali ahmed mohammed fatima priya raj wei ming
`)

/** Names that are words as well. */
export const ambiguousFirstNames = toSet(`
  will mark grace hope faith joy may april june rose art bill rob drew pat jack frank dean chase hunter grant victor lily
  daisy violet heath dale glen cliff brook summer autumn dawn eve penny ginger olive ivy pearl ruby amber crystal sky max
  miles ray gene gus rich
`)
