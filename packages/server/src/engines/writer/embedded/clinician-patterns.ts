/** How clinicians announce what they do. Spoken forms with their contractions expanded. */

export const future =
  /\b(?:this week|next (?:week|time|session|appointment|monday|tuesday|wednesday|thursday|friday|saturday|sunday|month|visit)|every (?:day|night|morning|week|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|each (?:day|morning|night|evening)|every evening|tomorrow|tonight|(?:once|twice|\w+ times|\w+ minutes) (?:a|each|per) (?:day|week|night)|before (?:next|our next|we meet|bed)|between (?:now|sessions)|over the (?:weekend|next)|in (?:\w+|\d+) (?:days?|weeks?|months?)|for the next|until (?:we|next)|today$|homework|at bedtime|weekly|monthly|whenever)\b/i

export const planVerb =
  /^(?:have (?:the|your)|give you (?:the|a) (?:number|name|handout|list|referral)|meet|keep|continue|increase|decrease|start|stop|schedule|check|see|call|coordinate|follow|plan|move|raise|lower|go (?:up|down) (?:on|to)|go to|taper|refer|bump|switch|get (?:an?|some|your|labs)|order|send|reach out|talk (?:to|with)|touch base|hold|add|come back|stay (?:on|at)|cut|bring|pick|revisit)\b/i

export const orderVerb =
  /\b(?:increas\w*|decreas\w*|rais\w*|lower\w*|start(?:ing)?|stop(?:ping)?|switch\w*|taper\w*|continu\w*|bump\w*|go(?:ing)? (?:up|down|from)|add(?:ing)?|hold(?:ing)?|keep(?:ing)? (?:it|the|your|you|things)|stay(?:ing)? (?:on|at)|refill\w*|discontinu\w*|come off|cut)\b/i

export const imperativeVerb =
  /^(?:please |also |just |then |so |and |maybe )*(?:try|pull|cap|leave|wait|keep|set|stand|put|go|call|write|practice|take|use|ask|track|bring|make|pick|let|turn|stay|check|notice|start|stop|continue|do|read|schedule|talk|tell|walk|text|move|spend|plan|log|rate|limit|avoid|hold|listen|reach|remember|wear|skip|drink|eat|sleep|get|give|come|have|cut|add|fill|complete|journal|meditate|breathe)\b(?! you\b)/i

export const technique =
  /\b(?:response prevention|behavioral experiment|experiment|pacing|cold pack|motivational|self.?compassion|chain\b|cognitive behavioral|automatic thoughts?|distortions?|thought records?|refram\w+|restructur\w+|evidence (?:for|against)|behavioral activation|exposure|hierarchy|core beliefs?|distress tolerance|tipp|wise mind|emotion regulation|opposite action|dear man|radical acceptance|diary cards?|chain analysis|mindful\w*|readiness|pros and cons|ambivalence|bilateral|reprocess\w*|safe place|calm place|values|defusion|acceptance|willingness|parts work|sleep hygiene|grounding|breathing|visualiz\w+|imagery|role.?play\w*|problem.?solv\w*|safety plan|speaker listener|empty chair|letter|validat\w+|psychoeducation|coping (?:skills?|cards?)|body scan|muscle relaxation|worry time|worksheet|catastrophiz\w*|all or nothing|black and white thinking|mind reading|five senses|scale of|genogram|timeline|boundar(?:y|ies)|relapse prevention|urge surfing|stimulus control)\b/i

export const observation =
  /\b(?:startl\w+|looking (?:at|away|down)|open with|drawn|stayed with|energy|making sense|threw yourself|settled|bright|following|normal (?:speed|rate)|lap|warmer|stronger|eye contact|affect|tearful|crying|cried|teary|organized|disorganized|speaking|speech|talking (?:fast|quickly|slowly)|voice|shoulders|hands|face|fidget\w*|restless|relaxed|calmer|tense|tired|groomed|dressed|guarded|engaged|withdrawn|smil\w+|laugh\w*|brighter|flat|pressured|interrupt|jumped between|thinking is|insight|judgment|oriented|linear|unclench\w*|eyes|leg|scanning|sat up|posture|steady|yawn\w*|shaky|focused|pleasant|cooperative|rested|agitated|slowed|quiet\w*|soft|pacing|settled|bright|cooperative|following|normal (?:speed|rate)|lap|animated|lighter|irritable)\b/i

export const assessmentWords =
  /\b(?:fits|(?:good|partial|strong|poor|full) response|progress|improv\w+|consistent with|criteria|diagnos\w+|disorder|episode|believe (?:this|that|it|you)|symptoms (?:have|are)|i(?:'d| would) call (?:it|that|this)|looks like (?:this|a|the)|responding (?:well )?to|stable|worsen\w*|movement|setback|partial response|remission|risk (?:is|as|level))\b/i

export const measureWords =
  /\b(?:blood pressure|bp|pulse|heart rate|weight|bmi|a1c|tsh|level|glucose|cholesterol|ldl|creatinine|hemoglobin|sodium|aims|phq.?9|gad.?7|pcl.?5|audit|score)\b[^.]{0,40}\b(?:\d+|is|was|of)\b|\b\d+ over \d+\b|\b\w+ over (?:sixty|seventy|eighty|ninety)\b/i

export const proposal =
  /^(?<lead>(?:(?!I |you |we |let )[^,:]{2,70}[,:] |(?:for|over|during) (?:this|the|next|coming)[\w ]{0,25}? (?=I |you )|(?:this week|today|tonight|next time|now|next|with your permission) (?=I |we |let ))?)(?:(?:so|and|then|also|okay|great|now|good) )*(?:(?<you>I would like you to|I want you to|I need you to|I am asking you to|you (?:could|can|might)(?= try\b)|I would suggest you|you will|you are going to|your homework is to|your homework for (?:this|the) week is to|the homework is to|homework is to|the plan is to|could you|can you|I encourage you to)|(?<advise>I (?:would )?(?:recommend|suggest|propose))|(?<us>let us|I would like us to|I want us to|let me|we will|we would|we are going to|we can|we should|we need to)|(?<me>I will|I am going to|I would like to|I want to|I would|I am|I can|I plan to))(?: also| just| please| both)* (?<rest>.+)$/i
