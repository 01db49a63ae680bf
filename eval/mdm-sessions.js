// Prescriber sessions, written for this evaluation, with what a coder would expect of each. `D` is the clinician, `C` the
// client. `problems` is every problem with its level; `risk` and `crisis` are the encounter's. Those marked as held
// out were written last and never used to change a rule.
export const sessions = [
  {
    name: 'depression not at goal, dose raised',
    said: `
      D: How has your mood been since we started the sertraline?
      C: A little better at first, but I'm still feeling down most days and I cry a lot.
      D: Your PHQ-9 today is sixteen, so the depression is not where we want it.
      C: Yeah, that sounds right.
      D: Any side effects from the Zoloft?
      C: No, none.
      D: Let's increase the sertraline to 100 milligrams because you're still having symptoms.
      C: Okay.`,
    problems: { Depression: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'stable anxiety, continued with reason',
    said: `
      D: How is the anxiety?
      C: It's been really good. I'm doing well, barely any worry at all.
      D: And the Lexapro?
      C: It's helping and I have no side effects.
      D: We'll keep the Lexapro at 10 milligrams since it's working for you.`,
    problems: { Anxiety: 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'bare refill is not drug management',
    said: `
      C: My anxiety is stable, nothing new.
      D: Good. I'll send in a refill of your medication.
      C: Thanks.`,
    problems: { Anxiety: 'low' },
    risk: 'low',
    crisis: false,
  },
  {
    name: 'medication list without a decision',
    said: `
      D: What are you taking right now?
      C: Sertraline 50 milligrams and lisinopril 10 milligrams for my high blood pressure. My PCP manages that.
      D: How is your depression?
      C: It's pretty stable. I'm doing fine.
      D: Good. Keep going to therapy.`,
    problems: { Depression: 'low', 'High blood pressure': 'na' },
    risk: 'low',
    crisis: false,
  },
  {
    name: 'suicidal ideation with plan, admission weighed',
    said: `
      D: Tell me what has been going on.
      C: My depression is so much worse. I've been thinking about killing myself.
      D: Do you have a plan?
      C: Yes. I've been saving up my pills and I would overdose.
      D: Can you keep yourself safe tonight?
      C: I don't think I can stay safe.
      D: I want you to go to the emergency room, I think we need to hospitalize you.`,
    problems: { Depression: 'high' },
    risk: 'high',
    crisis: true,
  },
  {
    name: 'passive ideation alone does not set the level',
    said: `
      D: How is the depression?
      C: Not better. Sometimes I feel like I'd be better off dead.
      D: Are you having any thoughts of killing yourself?
      C: No.
      D: Do you have any plan to hurt yourself?
      C: No, never.
      D: Let's go up on the Prozac to 40 milligrams because the depression isn't getting better.`,
    problems: { Depression: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'denied, historical and third-party risk',
    said: `
      D: Any thoughts of suicide?
      C: No, not at all.
      D: Have you ever attempted suicide?
      C: When I was nineteen I took a bottle of pills. That was years ago.
      C: My brother killed himself in 2015.
      D: I'm sorry. How is your anxiety these days?
      C: It's much better.
      D: Okay, let's continue the escitalopram 10 mg because it's working well.`,
    problems: { Anxiety: 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'lithium with toxicity signs',
    said: `
      D: How have you been on the lithium?
      C: I have a bad tremor and I've been vomiting and unsteady on my feet.
      D: I'm worried about lithium toxicity. I'm going to order a stat level and kidney function today.
      D: Hold the lithium until we have it. Your bipolar disorder we can manage meanwhile.`,
    problems: { 'Bipolar disorder': 'high' },
    risk: 'high',
    crisis: false,
  },
  {
    name: 'lithium level for effect only',
    said: `
      C: My bipolar is steady, no ups or downs.
      D: Let's check a lithium level to see if it's therapeutic.
      D: We'll continue the lithium at 900 milligrams because you're doing well.`,
    problems: { 'Bipolar disorder': 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'clozapine and neutrophils',
    said: `
      D: How are the voices?
      C: I still hear voices every day, but they are quieter.
      D: Your ANC came back fine. We'll keep checking the ANC monthly with the clozapine.
      D: Let's keep the clozapine at 300 milligrams since it's helping with the voices.`,
    problems: { 'Hallucinations or paranoia': 'moderate' },
    risk: 'high',
    crisis: false,
  },
  {
    name: 'new panic attacks, thyroid test',
    said: `
      C: I had a panic attack for the first time two weeks ago. It came out of nowhere.
      D: That sounds frightening. Any heart problems?
      C: No.
      D: I'm going to order a TSH and see you in two weeks. Let's not start any medication yet.`,
    problems: { 'Panic attacks': 'moderate' },
    risk: 'minimal',
    crisis: false,
  },
  {
    name: 'grief without treatment',
    said: `
      C: I've been grieving since my grandmother passed last month.
      D: That is a normal reaction. How are you functioning?
      C: I'm going to work and eating fine.
      D: Then there's nothing to treat. Call me if that changes.`,
    problems: { Grief: 'minimal' },
    risk: 'minimal',
    crisis: false,
  },
  {
    name: 'sleep trouble, sleep hygiene',
    said: `
      C: I have trouble falling asleep sometimes, that's all.
      D: How many hours do you get?
      C: About seven, it's okay.
      D: Try some sleep hygiene and melatonin, and cut back on caffeine.`,
    problems: { 'Sleep disturbance': 'low' },
    risk: 'low',
    crisis: false,
  },
  {
    name: 'ADHD with side effects, dose lowered',
    said: `
      D: How is the Adderall for your ADHD?
      C: It works but I get headaches and I'm shaky in the afternoon.
      D: Let's lower the Adderall to 10 milligrams because of the side effects.`,
    problems: { ADHD: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'acute mania',
    said: `
      C: I haven't slept for four days and I feel on top of the world, my thoughts are racing.
      D: This looks like mania to me. I'd like you to be admitted to the hospital tonight.
      C: I don't want to.
      D: I'm going to call mobile crisis.`,
    problems: { Mania: 'high' },
    risk: 'high',
    crisis: true,
  },
  {
    name: 'threat to a named person',
    said: `
      C: I keep thinking about killing my boss. I'm serious.
      D: How long have you had those thoughts?
      C: Two weeks. I know where he parks.
      D: I have to take this seriously. I'm calling the police to warn him.
      D: The paranoia is clearly worse.`,
    problems: { 'Hallucinations or paranoia': 'high' },
    risk: 'high',
    crisis: true,
  },
  {
    name: 'decision without a dose',
    said: `
      D: How's the depression on the Wellbutrin?
      C: Still struggling, no motivation.
      D: Let's increase the Wellbutrin because you're still struggling.`,
    problems: { Depression: 'moderate' },
    risk: 'low',
    crisis: false,
  },
  {
    name: 'two stable problems',
    said: `
      D: How is the anxiety, and the insomnia?
      C: The anxiety is under control. And the insomnia is much better, I sleep through the night.
      D: We'll continue the buspirone 10 milligrams twice a day since the anxiety is well controlled, and the trazodone 50 milligrams at night for your sleep.`,
    problems: { Anxiety: 'low', Insomnia: 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'figures of speech',
    said: `
      C: This job is killing me, I'm dead tired. I could kill for a vacation.
      D: So a lot of stress.
      C: Yes, but I manage fine.`,
    problems: { 'Situational stress': 'minimal' },
    risk: 'minimal',
    crisis: false,
  },
  {
    name: 'unclear answer about suicide',
    said: `
      D: How is the depression?
      C: About the same, I guess. I'm not doing well.
      D: Are you having thoughts of suicide?
      C: Not really.
      D: Let's raise the Cymbalta to 60 milligrams to help with the depression.`,
    problems: { Depression: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'follow-up with small talk',
    said: `
      D: Hi, come on in. Did you find parking?
      C: Yeah, it was fine, thanks.
      D: So last time we started you on escitalopram five milligrams. How's that been going?
      C: I think it's doing something. I'm less on edge. But I still worry a lot at night, like about money.
      D: Okay. On a scale of zero to ten, how bad is the anxiety?
      C: Maybe a six. It was an eight.
      D: Alright. Any nausea, headaches?
      C: A bit of nausea the first week and then it went away.
      D: Good. So I'd like to go up to ten milligrams, since you're partway there but still anxious.
      C: Sounds good.
      D: And we'll meet again in four weeks.`,
    problems: { Anxiety: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'PTSD with nightmares, prazosin started',
    said: `
      D: How have the nightmares been?
      C: Terrible. Every night since the anniversary. I wake up soaked.
      D: And during the day, with the PTSD, any flashbacks?
      C: Yeah, a couple this week at work.
      D: Have you had any thoughts of ending your life?
      C: No. I've got my kids.
      D: I'm going to start prazosin, one milligram at bedtime, to help with the nightmares.
      C: Okay, I'll try it.`,
    problems: { PTSD: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'alcohol relapse, naltrexone discussed but not decided',
    said: `
      C: I slipped. I've been drinking again, about five beers a night.
      D: Thank you for telling me. Any shakes when you stop?
      C: No, nothing like that.
      D: We talked about naltrexone before. Would you want to think about it?
      C: Maybe. I want to read about it first.
      D: That's fair. In the meantime go back to your AA meetings and see your counselor.`,
    problems: { 'Alcohol use': 'moderate' },
    risk: 'low',
    crisis: false,
  },
  {
    name: 'mother with bipolar, own depression in remission',
    said: `
      C: My mom was just diagnosed with bipolar, so it's been a strange month.
      D: I'm sorry. And your own depression?
      C: Honestly, it's in remission, I feel like myself again.
      D: Wonderful. Then we'll stay with the Wellbutrin XL at 300 milligrams because it's keeping you well.`,
    problems: { Depression: 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'psychosis with commands',
    said: `
      D: Are the voices still there?
      C: Yes. They tell me to jump in front of the train.
      D: Do you feel you might act on that?
      C: I almost did yesterday.
      D: I don't think it's safe for you to go home. I'm going to have you admitted to the hospital today.`,
    problems: { 'Hallucinations or paranoia': 'high' },
    risk: 'high',
    crisis: true,
  },
  {
    name: 'safety plan for passive ideation',
    said: `
      C: I'm so depressed. Some nights I wish I wouldn't wake up.
      D: Do you ever think about killing yourself?
      C: I've thought about it but I wouldn't do it, I have my daughter.
      D: Do you have guns at home?
      C: No.
      D: Let's make a safety plan together right now.
      D: And let's increase the venlafaxine to 150 milligrams because the depression is worse.`,
    problems: { Depression: 'moderate' },
    risk: 'moderate',
    crisis: true,
  },
  {
    name: 'stimulant continued, sleep fine',
    said: `
      D: How are things with the ADHD?
      C: Pretty great. My boss even noticed. I get my reports done on time.
      D: Sleep and appetite?
      C: Both fine.
      D: Heart racing or anything like that on the Vyvanse?
      C: Nope.
      D: Perfect. Then we continue Vyvanse 40 milligrams every morning; you're doing well on it and your blood pressure is good.`,
    problems: { ADHD: 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'cannot pay for the medication',
    said: `
      C: I lost my insurance, so I've been off my meds for three weeks.
      D: How have you been without them?
      C: The panic attacks came back. I had three this week.
      D: I understand. Let me see what we can do about samples and I'll connect you with the assistance program.`,
    problems: { 'Panic attacks': 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'hospital in the history only',
    said: `
      D: Have you ever been hospitalized for your mood?
      C: Once, in 2012, for about a week.
      D: And any attempts?
      C: One back then. Nothing since.
      D: What brings you in now?
      C: I moved here and need someone to follow my bipolar. It's been stable for years on Lamictal.
      D: We'll continue lamotrigine 200 milligrams, as you've been stable on it.`,
    problems: { 'Bipolar disorder': 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'benzodiazepine taper',
    said: `
      D: Where are you with the Klonopin?
      C: Still one milligram twice a day. I'd like to get off it. I feel foggy and groggy.
      D: How's the panic?
      C: No panic attacks in months.
      D: Great. Let's bring it down slowly. We'll decrease the clonazepam to 0.75 milligrams twice a day because of the grogginess.`,
    problems: { 'Panic symptoms': 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'first visit, depression and family',
    isHeldOut: true,
    said: `
      D: So what made you want to come in?
      C: I've just been really depressed since the spring. I don't enjoy anything and I can't get out of bed on weekends.
      D: Has that happened before?
      C: Once in college, but it passed.
      D: Anyone in the family with something like this?
      C: My dad has depression, and my aunt is bipolar.
      D: Any thoughts of ending your life?
      C: No, I wouldn't do that.
      D: I think a medication would help here. I'm going to start you on sertraline, 25 milligrams for a week and then 50 milligrams, to help with the depression.
      C: Alright.`,
    problems: { Depression: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'well on the injection',
    isHeldOut: true,
    said: `
      D: How have you been since the last injection?
      C: Good. No voices, I'm sleeping, I'm working at the store.
      D: Any stiffness or restlessness?
      C: No.
      D: The schizophrenia has been stable for a year now. We'll keep the Invega Sustenna at 156 milligrams every month because it's working.
      C: Okay.`,
    problems: { Schizophrenia: 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'weight gain, switch',
    isHeldOut: true,
    said: `
      C: I gained twenty pounds on the Zyprexa. I hate it.
      D: I hear you. And the mood swings, how is the bipolar?
      C: The mood is fine, it's the weight.
      D: Then let's switch from Zyprexa to Latuda 40 milligrams with dinner, because of the weight gain.`,
    problems: { 'Bipolar disorder': 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'friend in danger, client fine',
    isHeldOut: true,
    said: `
      C: My best friend tried to kill herself last week. I sat with her in the hospital.
      D: That must have been awful. How are you holding up?
      C: I'm sad, but I'm okay. My anxiety is actually under control.
      D: Are you having any thoughts like that yourself?
      C: No, not at all.
      D: We'll stay on the buspirone 15 milligrams twice a day, since the anxiety is under control.`,
    problems: { Anxiety: 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'intent told to the prescriber',
    isHeldOut: true,
    said: `
      C: I can't do this anymore. I'm going to kill myself this weekend.
      D: I'm really glad you told me. How would you do it?
      C: My dad's gun. I know where he keeps it.
      D: I can't let you leave like this. We're going to get you to the emergency room and I'll call your dad about the gun.`,
    problems: { 'Danger to self or others': 'high' },
    risk: 'high',
    crisis: true,
  },
  {
    name: 'advice for emergencies is no decision',
    isHeldOut: true,
    said: `
      D: How's the panic disorder?
      C: I had two attacks this month instead of ten, so it's a lot better.
      D: That's great progress. If you ever feel unsafe, call 988 or go to the emergency room.
      C: I will.
      D: Let's continue the paroxetine 20 milligrams because you're doing so much better on it.`,
    problems: { 'Panic disorder': 'low' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'divalproex with liver tests',
    isHeldOut: true,
    said: `
      D: Your bipolar has been quiet. Any problems on the Depakote?
      C: My stomach's a bit off but nothing bad. I've been stable.
      D: I want to make sure the liver is handling it. I'm ordering LFTs and platelets today.
      D: We'll keep Depakote at 1000 milligrams for now since you've been stable.`,
    problems: { 'Bipolar disorder': 'low' },
    risk: 'high',
    crisis: false,
  },
  {
    name: 'only therapy talk',
    isHeldOut: true,
    said: `
      C: I've been stressed about the move, but it's fine.
      D: Moving is a lot. What helps?
      C: Running, calling my sister.
      D: Keep doing that. No need for any medication.`,
    problems: { 'Situational stress': 'minimal' },
    risk: 'minimal',
    crisis: false,
  },
  {
    name: 'nightmares gone, prazosin lowered',
    isHeldOut: true,
    said: `
      D: How are the PTSD symptoms?
      C: So much better. I haven't had a nightmare in two months.
      D: Any dizziness with the prazosin?
      C: Yes, I get dizzy when I stand up.
      D: Let's reduce the prazosin to 2 milligrams because of the dizziness.`,
    problems: { PTSD: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
  {
    name: 'missed doses, no change',
    isHeldOut: true,
    said: `
      D: How's the ADHD on Concerta?
      C: When I take it I focus fine. I forgot it most of last week and fell behind at work.
      D: Let's use a pill box and a phone alarm, and keep Concerta at 36 milligrams, since it works when you take it.
      C: Fair enough.`,
    problems: { ADHD: 'moderate' },
    risk: 'moderate',
    crisis: false,
  },
]
