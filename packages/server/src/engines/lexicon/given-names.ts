/** The commonest given names in the United States; a word among them that does not begin a sentence names a person. */
export const givenNames = new Set(
  `james mary john patricia robert jennifer michael linda david elizabeth william barbara richard susan joseph jessica thomas
  sarah charles karen christopher lisa daniel nancy matthew betty anthony sandra mark margaret donald ashley steven kimberly
  andrew emily paul donna joshua michelle kenneth carol kevin amanda brian melissa george deborah timothy stephanie ronald
  rebecca jason sharon edward laura jeffrey cynthia ryan dorothy jacob amy gary kathleen nicholas angela eric shirley
  jonathan emma stephen brenda larry pamela justin nicole scott anna brandon samantha benjamin katherine samuel christine
  gregory debra alexander rachel patrick carolyn frank janet raymond maria jack olivia dennis heather jerry helen tyler
  catherine aaron diane jose julie henry victoria adam joyce douglas lauren nathan kelly peter christina zachary ruth kyle
  joan walter virginia ethan judith jeremy evelyn christian hannah keith andrea roger megan terry cheryl harold jacqueline
  sean madison austin teresa carl abigail arthur sophia lawrence martha dylan sara jesse gloria jordan janice bryan kathryn
  billy ann bruce isabella gabriel judy joe julia logan grace alan amber juan denise wayne danielle roy marilyn ralph
  beverly randy charlotte eugene natalie vincent theresa bobby diana russell brittany louis doris philip kayla johnny alexis
  mia noah liam lucas mason oliver elijah aiden luis carlos miguel jorge pedro mateo renee dale carmen brianna marissa tony
  mike dave steve chris matt dan tom bob jim joey sam ben alex nick jen jenny katie kate beth liz sue kim pam tina gina rosa
  lucia elena sofia priya raj amit wei mei ali omar fatima ahmed aisha jamal keisha tyrone darnell latoya malik andre marcus
  derek trevor troy shane craig todd chad brad greg jeff phil neil ian colin leah molly holly tara erin shannon tracy stacy
  wendy robin paula monica yolanda veronica alicia vanessa natasha bianca jasmine crystal tiffany courtney lindsay whitney
  brooke paige haley hailey chloe zoe lily ella ava harper`.split(/\s+/),
)
