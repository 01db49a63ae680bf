import type { Topic } from './topics.js'

/**
 * What a clinician's question opens, where its words alone do not say: the same words in an answer would mean less. The
 * answer belongs where the question does, whatever it names.
 */
const questions: readonly (readonly [Topic, RegExp])[] = [
  [
    'strength',
    /\bwho (?:(?:do|can|could|would|did) you (?:lean on|turn to|count on|rely on|trust|go to|have (?:in your|around|to))|supports you|looks? out for you|else knows|knows\b)|\bwho(?:'s| is| are)(?: your)? (?:there for you|around(?: you)?\b|people\b|supports?\b)|\bwhat (?:do you|are you|gets you|keeps you|got you|kept you|helps you)\b[^?]{0,12}\b(?:good at|proud of|through|going|cope|like (?:to do|doing)|do (?:for fun|to relax|with your (?:free )?time))\b|\bwhat do you (?:like|love)\W*$|\b(?:for fun|free time|spare time|hobbies)\b/i,
  ],
  [
    'goal',
    /\bwhat(?:'s| is|'d be| would be| would| will be| could be| might be) (?:be )?different\b(?! about\b| from\b| than\b)|\bif (?:this|therapy|treatment|it|we|our work|things) (?:works?|worked|works out|go(?:es)? well|went well|helps|helped)\b|\bhow (?:will|would|do) (?:you|we) know (?:that |when |if )?(?:this|it|therapy|treatment|we)\b[^?]{0,15}\b(?:work\w*|help\w*|done|enough)\b|\bwhat (?:do you|would you|are you) (?:want|like|hoping)\b[^?]{0,25}\b(?:change|different|from (?:this|therapy|treatment|me|us|here)|out of|get here|for yourself)\b/i,
  ],
  [
    'family_history',
    /\b(?:any(?:one|body)|who) (?:else )?(?:have|has|had|with|deal\w* with|struggl\w* with|go(?:es)? through) (?:anything|something|problems|issues|any of this|this|it)\b(?! (?:at|with) (?:work|school))|\b(?:you|yourself) or (?:your |the )?(?:family|relatives|parents)\b|\bany(?:one|body) (?:related|by blood)\b|\bon (?:either|your (?:mom|mother|dad|father)'s) side\b|^(?:and )?(?:in |your |the |what about (?:the |your )?)*family(?: history)?\W*$/i,
  ],
  [
    'psychiatric_history',
    /\b(?:about|before|after|since|led to|brought you to|put you in) the (?:hospital|unit|ward)\b|\bever (?:been )?(?:in (?:a|the) (?:hospital|unit|ward)|inpatient|committed)\b|\b(?:therapists?|counselors?|psychiatrists?)\b[^?]{0,30}\b(?:before|good|help\w*|like|last)\b/i,
  ],
  [
    'trauma',
    /\b(?:any(?:thing|one|body)|someone|somebody)\b(?![^?]*\b(?:this|last|since|the past) (?:week|month|session|visit|time|we))[^?]{0,30}\b(?:happen(?:ed|s)? to you|hurt you|hit you|touch(?:ed)? you|attack(?:ed)? you|force[ds]? you|scare[ds]? you|laid hands)\b|\bsomething that (?:really |actually )?happened\b|\b(?:ever|been|being) (?:been )?(?:hit|beaten|molested|attacked|assaulted|abused|mugged|raped)\b|\b(?:seen|seeing|saw|witness\w*) (?:any )?violence\b/i,
  ],
  [
    'medical',
    /\b(?:medical|health|physical) (?:things?|stuff|concerns?|problems?|conditions?|issues?|history)\b|\b(?:heart|kidney|liver|lung|breathing) (?:problems?|trouble|conditions?|disease|issues?)\b|\bsurger(?:y|ies)\b|\bhead injur\w+|\bhit your head\b/i,
  ],
  [
    'social',
    /\b(?:trouble|problems?|issues|run-?ins?|history) with (?:the )?(?:law|police|courts?)\b|\blegal (?:trouble|problems?|issues|history)\b|\bever (?:been )?(?:arrested|in jail|in prison|served|in the (?:service|military))\b|\bwhere (?:did you grow up|were you born|are you from|do you (?:live|stay)|are you (?:living|staying))\b|\bwho (?:do you live|lives|are you living|raised you)\b|\bwhat (?:was|were) (?:it|things|home|school|life|your (?:childhood|parents)) like\b[^?]*\b(?:grow\w*|kid|child|little|young)|\bdo you have (?:any )?(?:kids|children|siblings|brothers|sisters)\b|\bare you (?:married|seeing (?:anyone|somebody)|in (?:a relationship|school)|working|employed)\b|\bfor (?:a living|work)\b/i,
  ],
  [
    'psychosis',
    /\b(?:see|hear|seeing|hearing) (?:or|and) (?:see|hear|seeing|hearing)\b|\b(?:things|anything|something) (?:that )?(?:others|other people|nobody else|no one else|aren't|are not)\b/i,
  ],
  [
    'mania',
    /\b(?:too much|tons of|lots of|so much) energy\b|\b(?:no|less|little|not) need(?:ing)? (?:for |to |any |much )?sleep\b|\bdays (?:with|on) (?:no|little) sleep\b|\bthe opposite of (?:depress\w+|low|down|that)\b/i,
  ],
  [
    'substance',
    /^(?:(?:and|any|how about|what about|how much) )*(?:coffee|caffeine|tobacco|smoking|vaping|cigarettes|energy drinks)\b/i,
  ],
]

/** The topics that a question opens by how it asks. */
export const findAskedTopics = (question: string): Topic[] =>
  questions.filter(([, pattern]) => pattern.test(question)).map(([topic]) => topic)
