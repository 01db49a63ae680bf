import { findCurrent, type Mention, type Statement } from './read-statements.js'

/** How a problem goes, by what was said near it. */
export interface Course {
  worse: Mention[]
  better: Mention[]
  sideEffects: Mention[]
  severe: Mention[]
  isNew: Mention[]
  /** A score at or above the cut-off for moderate symptoms, as it was said. */
  scores: Mention[]
  elsewhere: Mention[]
  ordered: Mention[]
}

const worse =
  /\b(?:worse(?:ned|ning)?|getting bad|gotten bad|flar(?:e|ed|ing)|relapsed?|slipped|(?:drinking|using|smoking) again|off (?:my|the|your) (?:meds?|medications?)|came back|come back|(?:more|increas(?:ed|ing)(?:ly)?) (?:anxious|depressed|irritable|frequent|anxiety|cravings|panic|intense|and more)|not (?:getting |any |much |doing )?(?:better|great|well|good|working|helping|helped|improv\w+|at (?:goal|where))|n't (?:gotten |getting |been |really |seen |seem to |doing )*(?:better|working|helping|helped|helps?|work(?:ed)?|improv\w+|enough)|no better|still (?:\w+ ){0,2}(?:depressed|anxious|struggling|hopeless|down|low|having|waking|hearing|crying|can't|get(?:ting)?|feel(?:ing)?|worr\w+|bad|hard|drinking|distracted|not)|can't (?:get out of bed|sleep|fall asleep|focus|concentrate|function|work|stop (?:worrying|crying|thinking))|(?:missed|missing|called out of|calling out of) work|every (?:single )?(?:day|night)|most days|(?:\w+ or )?\w+ times a (?:week|day|night)|stopped working|wear(?:s|ing) off|struggling|rough|terrible|awful|so hard)\b/i
const better =
  /\b(?:(?:much |a lot |so much |way |feeling |doing |getting |sleeping )?better|improv(?:ed|ing|ement)|doing (?:really |pretty |very )?(?:well|good|great|fine|okay)|stable|under control|well[- ]controlled|in remission|back to (?:normal|myself)|at goal|(?:is|it's|been|are) (?:really )?(?:working|helping)|helps a lot|sleeping (?:well|fine|good|great|through)|no (?:symptoms|problems|complaints|concerns|panic attacks|cravings)|steady|feel(?:ing)? (?:good|great|fine|like myself)|really good|going well|consistently|much calmer|happy with|good (?:place|control))\b/i
const sideEffects =
  /\b(?:side effects?|nausea|nauseous|headaches?|dizz(?:y|iness)|drows(?:y|iness)|sedat(?:ed|ion|ing)|sleepy|groggy|weight gain|gained (?:\w+ ){0,2}(?:pounds|weight)|sexual side effects|sex drive is (?:lower|low|gone|down)|no (?:sex drive|libido)|dry mouth|tremors?|shak(?:y|ing|iness)|hands shake|restless(?:ness)? legs|akathisia|stiff(?:ness)?|rash|emotionally (?:blunted|flat)|zombie|foggy|unsteady|ataxia)\b/i
/** What was there and is gone. */
const gone =
  /\b(?:went away|gone (?:now|away)|passed|resolved|not (?:any ?more|now)|only (?:the first|at first))\b/i
const severe =
  /\b(?:(?:haven't|have not|hasn't) (?:slept|eaten)(?: at all| anything)? (?:in|for) (?:\w+ )?(?:\w+ )?days|can't (?:function|get out of bed) at all|(?:days|nights) without sleep(?:ing)?|spent (?:all|\w+ thousand|thousands)|stat (?:level|labs?)|slurr(?:ed|ing)|confus(?:ed|ion)|vomiting|can't walk straight|toxic(?:ity)?)\b/i
const isNew =
  /\b(?:(?:for )?the first time|never (?:had|happened|felt|been) (?:this|that|it|one|anything|before)|brand new|new (?:symptom|problem|onset)|out of nowhere|consistent with|meets? (?:the )?criteria for|(?:just )?started (?:having|getting|a (?:few|couple)|two|three|last|about|noticing)|all of a sudden)\b/i
const elsewhere =
  /\b(?:(?:my|your) (?:PCP|primary(?: care)?(?: doctor| provider)?|family doctor|regular doctor|cardiologist|endocrinologist|neurologist|internist|other doctor)\b.{0,60}(?:follow|manag|handl|takes? care|prescrib|check|watch|see)|(?:follow|manag|handl|tak)\w* (?:\w+ ){0,3}(?:by|with|care of by) (?:my|your) (?:PCP|primary|family doctor|cardiologist|endocrinologist|doctor))/i
const ordered =
  /\b(?:order(?:ing|ed)?|check(?:ing)?|get(?:ting)?|run(?:ning)?|draw(?:ing)?|send(?:ing)? (?:you )?for|repeat(?:ing)?)\b.{0,40}\b(?:labs?|blood ?work|TSH|thyroid|CBC|CMP|A1c|level|levels|EKG|ECG|LFTs?|liver|kidney|ANC|white count|metabolic|drug screen|urine)\b/i

/** PHQ-9 and GAD-7: ten is the cut-off for moderate symptoms. */
const scored =
  /\b(?:PHQ|GAD)[- ]?(?:9|7|nine|seven)?\b[^.?!]{0,40}?\b(1[0-9]|2[0-7]|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:[- ]\w+)?)\b/i

export function readCourse(statements: readonly Statement[]): Course {
  const find = (pattern: RegExp) =>
    statements.map((one) => findCurrent(one, pattern)).filter((one) => one !== null)
  const present = (pattern: RegExp) => find(pattern).filter(({ polarity }) => polarity === 'present')
  // "It isn't any better" denies better: that is not at goal. "No worse" says nothing.
  const notBetter = find(better).filter(
    ({ polarity, statement }) => polarity === 'denied' && statement.kind === 'stated',
  )
  return {
    worse: [...present(worse), ...notBetter],
    better: present(better),
    sideEffects: present(sideEffects).filter(({ statement }) => isOwn(statement)),
    severe: present(severe),
    isNew: present(isNew),
    scores: present(scored),
    elsewhere: statements.flatMap((statement) => {
      const match = elsewhere.exec(statement.text)
      return match === null ? [] : [{ statement, polarity: 'present', words: match[0] }]
    }),
    ordered: present(ordered).filter(
      ({ statement: { speaker, kind } }) => speaker !== 'client' && kind === 'stated',
    ),
  }
}

/** A clinician who lists what a drug may do has not found it. */
const isOwn = ({ speaker, kind, text }: Statement) =>
  (speaker !== 'clinician' || kind === 'affirmed') &&
  !gone.test(text) &&
  !/\b(?:might|may|can cause|could|would)\b/i.test(text)
