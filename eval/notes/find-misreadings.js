// Sentences of a note that a clinician would not have written, by what is wrong with them. It reads the note alone: it
// knows neither the transcript nor how a writer works, so that any writer can be held against it. What it cannot see is
// whether a sentence was worth writing; an anecdote in good English passes.

/** Words in quotes are the client's own. */
const withoutQuotes = (sentence) => sentence.replace(/["“][^"”]*["”]/g, '…')

const persons =
  'wife|husband|partner|spouse|boyfriend|girlfriend|fianc[eé]e?|ex|mother|mom|father|dad|parents?|stepmother|stepfather|sister|brother|son|daughter|baby|child|kid|grandmother|grandma|grandfather|grandpa|grandbaby|aunt|uncle|cousin|niece|nephew|friend|buddy|neighbor|roommate|boss|manager|supervisor|coworker|colleague|teacher|coach|counselor|therapist|doctor|nurse|psychiatrist|sponsor|landlord|caseworker|judge|dispatcher|pastor|guy|man|woman|girl|boy|someone|somebody|person|participant|dr'
const personNamed = new RegExp(`\\b(?:${persons})(?:'s|s)?\\b`, 'i')
const personPronoun = /\b(?:he|she|him|her|his|hers)\b/gi

const told =
  '(?:reports?|reported|states?|stated|describe[sd]?|endorsed|confirmed that|confirmed|shared|answered|noted(?: that)?)'
/** "Asked …, client reported", "In response, client reported", "Client stated". */
const telling = new RegExp(`^(?:.*, )?(?:(?:client|a participant|clinician) )?${told}:? (?<rest>.+)$`, 'i')
const restOf = (sentence) => telling.exec(sentence)?.groups?.rest ?? null

const number =
  '(?:(?:about|around|maybe|probably|like|almost|at least|more like|approximately) )*(?:an? )?(?:\\d[\\d.]*|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred)(?:-\\w+)?'
const unit =
  '(?: (?:percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|more|a (?:day|week|month)))?'
/** A count, a time or a place by itself: the answer to a question that is not there. */
const answerAlone = new RegExp(
  `^(?:${number}${unit}(?:,? (?:or |maybe |sometimes )?${number}${unit})*|once|twice|because\\b[^;,]*|so\\b[^;,]*|(?:in|on|at|with|for|to|after|before|since|until) (?!the (?:last|past|first)\\b)(?:\\w+ ?){1,4}(?=[.;(]|$)|(?:very |pretty |mostly |a bit |so )?(?:good|bad|fine|okay|better|worse|rough|steady|warm|awkward|doable|badly|terrible|normal|great|weird|hard|easy|low|ready|empty)|(?:their|the) (?:${persons})(?: and (?:their|the)(?: \\w+)? \\w+)?|every \\w+|(?:all|most) (?:day|night|the time))(?=[.;,(]|$)`,
  'i',
)

const finitePlural =
  'have|are|were|do|did|had|would|could|can|cannot|will|should|might|lose|wake|watch|get|got|go|went|feel|felt|take|took|think|thought|keep|kept|need|needed|want|wanted|look|looked|know|cry|cried|eat|ate|sleep|slept|drink|drank|told|tell|fought|dropped|needed|end|used|sit|stay|stayed|see|saw|make|made|come|came|leave|left|quit|cannot|hate|love|worry|try|tried|use|work|worked|call|called|pulled|scroll'
/** "they have nightmares; lose their keys": a verb in want of its subject. */
const subjectLost = new RegExp(`; (?:${finitePlural})\\b(?! (?:of|to them|with them)\\b)`, 'i')

const clauseStart =
  /(?:^|[;,(:] |\b(?:and|but|so|because|that|when|if|which|reported|reports|stated|states) )they (?=[a-z])/gi

const hanging =
  /\b(?:because|and|but|or|the|an?|their|to|of|until|so they are|they are able|could|would have to|because them|will have|have lost)[.;,)](?!m\.)|\b(?:is|are|was|were),/i

const filler =
  /\b(?:yeah|yep|nah|whoa|wow|(?<!\ba )boy(?=[,.]|$)|oh|um|uh|you know|i mean|actually|honestly|basically|literally|kind of|sort of|or something|or anything(?! else)|or whatever|and stuff|and everything|crap|damn|garbage|the whole entire|easily|maybe|pretty (?:much|low|good|bad|solid))\b|\b(?:is|was|were|be|been|are|reports?|reported|had|this|got) like\b|, like\b|\bthat (?:\w+ )?thing\b|\bthe (?:\w+ )?(?:thing|stuff)\b(?! is\b)|\b(?:not not|so so)\b/i

const referring =
  '(?:it|that|this|them|those|these)(?=[.,;)]| (?:is|was|are|were|does|did|has|had|makes?|made|feels?|felt|helps?|helped|calmed|gets?|got|goes|went|out|up|down|at|in|on|for|to|as|with|when|whenever|if|because|like|together|right|and|tomorrow|today|a|an|the|three|two|four)\\b)'
const refersBack = new RegExp(`^${referring}`, 'i')
/** "Keep it out of the house", "Client to try it at work". */
const asksForIt = new RegExp(
  `^(?:(?:for|over|this|on) [^,]+, )?(?:client to |participants to |clinician (?:asked client to|will|proposed|invited client to) )?(?!if |when |clinician |client |stated |described |confirmed )[a-z]+(?: up| on| to| an eye on)? (?:${referring}|(?:her|him)\\b)`,
  'i',
)

/** Clauses that speech strings together with a comma; after "when …," or "if …," the comma is right. */
const runTogether =
  /(?:^|[;:(] )(?!(?:[^,;]* )?(?:when|whenever|if|since|because|after|before|once|while|until|although|as|though)\b)[^,;"]+, (?:and then )?(?:they|it|that|he|she|there) (?:is|are|was|were|has|have|had|did|do|does|would|could|can|cannot|[a-z]+ed)\b/i

/** Kinds by sentence: whether it reads badly, given what stands before it in its section. */
const kinds = {
  'person not named': (sentence, before) => {
    const [first] = sentence.matchAll(personPronoun)
    return first !== undefined && !personNamed.test(`${before} ${sentence.slice(0, first.index)}`)
  },
  'thing not named': (sentence, before, section) => {
    const rest = restOf(sentence)?.replace(
      /^(?:that (?=(?:it|that|this|the|a|an|they|their|client)\b)|they (?:did|do|hate|like|tried|used|get|got) )/i,
      '',
    )
    const isAnsweredTo =
      /^in response\b/i.test(sentence) && (section === 'response' || /\bclinician\b/i.test(before))
    if (!isAnsweredTo && refersBack.test(rest ?? '') && !/^it (?:takes|is (?:hard|easy) )/i.test(rest ?? ''))
      return true
    return asksForIt.test(sentence)
  },
  'answer alone': (sentence) => {
    const rest = restOf(sentence)
    return rest !== null && rest.split('; ').some((part) => answerAlone.test(part.replace(/[.)]+$/, '')))
  },
  'rating of nothing': (sentence) =>
    /\brating of [^;.]+?(?=[;.]|$)/i.test(sentence) && !/\brating of [^;.]+ (?:for|of|on) \w+/i.test(sentence)
      ? true
      : new RegExp(
          `(?:^|[;,:(] |reported |stated |states |reports )(?:(?:it|this|that|now it) (?:is|was) (?:still |like |about )*(?:an? )?(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|\\d+)|an? (?:zero|one|two|three|four|five|six|seven|eight|nine|ten))(?=[.;,)]|$)`,
          'i',
        ).test(sentence),
  'no verb': (sentence) =>
    /^(?:is|are|was|were|has|have) /i.test(sentence) ||
    new RegExp(`\\b${told} (?:they|it|he|she) (?:think|thinks|know|guess|mean|feel)(?:[.;,]|$)`, 'i').test(
      sentence,
    ),
  'word twice': (sentence) =>
    /\b(?!(?:had|so|eight|nine|one|two)\b)(?<word>[a-z]+),? \k<word>\b/i.test(sentence),
  'they, they, they': (sentence) => [...sentence.matchAll(clauseStart)].length >= 3,
  // Steps of a plan share the "to" of the first.
  'subject lost': (sentence) =>
    subjectLost.test(sentence) && !/^(?:[^;]*, )?(?:client|participants) to\b/i.test(sentence),
  'run together': (sentence) => runTogether.test(sentence),
  'heap of clauses': (sentence) => sentence.split('; ').length > 3,
  'spoken filler': (sentence) => filler.test(sentence),
  'broken off': (sentence) => hanging.test(sentence),
  'capital inside': (sentence) =>
    /(?:[,;(] |\b(?:on|reported|endorsed) )(?:Yeah|Weddings|Doable|The|Whoa|Not|And|But|So|It|That|They|Just|Because|No|Yes|Every|After|At|In|On|My|When|If)\b/.test(
      sentence,
    ),
  'first or second person': (sentence) => /\b(?:I|me|my|mine|we|us|our|you|your|yours)\b/i.test(sentence),
  // Risk is written with its question on purpose: what was asked is part of what was found.
  'minutes of a talk': (sentence) =>
    (/^asked\b/i.test(sentence) && !/client (?:responded|gave an unclear response)/.test(sentence)) ||
    /^client answered\b/i.test(sentence),
}

/** [{ kind, section, sentence }], one for each kind of fault that a sentence has. */
export const findMisreadings = (sections) =>
  sections.flatMap(({ key, evidence }) =>
    evidence.flatMap(({ sentence }, index) => {
      const before = evidence
        .slice(0, index)
        .map((entry) => withoutQuotes(entry.sentence))
        .join(' ')
      return Object.entries(kinds)
        .filter(([, isBad]) => isBad(withoutQuotes(sentence), before, key))
        .map(([kind]) => ({ kind, section: key, sentence }))
    }),
  )
