/**
 * Sentences as they stand in notes, of which none states a danger, a weapon, a medicine, an allergy or where the client goes:
 * figures of speech, and words that have a harmless use. Written before anything was counted with them; they are no set to tune by.
 */
export const harmlessSentences = `
Client reports killing time at the airport before the flight.
Client said the long commute is killing them.
Client reported that their feet were killing them after the shift.
Client described the comedian as killing it on stage.
Client joked that the suspense was killing their daughter.
Client wants to kill two birds with one stone by walking to work.
Client mentioned that the deal was killed by the bank.
Client described the presentation as overkill.
Client enjoys a killer workout on Saturdays.
Client said the music killed the mood at the party.
Client says hi to the neighbors now when they pass.
Client greeted the clinician with a quick hi and sat down.
Client described saying hi to a coworker as a success.
Client practiced their SI units for the physics exam.
Client's phone was dead for most of the weekend.
Client was dead tired after the double shift.
Client missed the deadline by one day.
Client described the job as a dead end.
Client reported a dead battery on Monday morning.
Client laughed and said the party was dead.
Client is dead set on finishing the degree.
Client's voice was quiet and steady throughout.
Client's voice trembled when describing the wedding.
Client heard familiar voices in the hallway before the session began.
Client sings in a choir and blends voices well with the altos.
Client raised their voice once and apologized.
Client voices concern about the cost of rent.
Client voices a wish to return to school.
Clinician and client both voiced satisfaction with the progress.
Client described a crisis of confidence before the exam.
Client is going through a midlife crisis by their own account.
Client said the housing crisis in the city worries them.
Client's company is in a budget crisis.
Client works for a crisis communications firm.
Client described the kitchen as a crisis every morning.
Client neglected the garden during the summer.
Client reports neglecting their hobbies because of overtime.
Client has neglected to return two phone calls.
Client feels the house has been neglected since the move.
Client watched a documentary about violent storms.
Client described a violent sneeze that woke the cat.
Client studies the history of violence in literature.
Client attended a lecture on the French Revolution.
Client abuses the snooze button, by their own words.
Client said the referee abused the rules of the game.
Client got a shot of espresso before the appointment.
Client took a shot at the promotion.
Client shot hoops with a friend on Sunday.
Client shot a short film for class.
Client jumped the gun and booked the trip early.
Client is sticking to their guns about the curfew.
Client called the printer a ticking bomb.
Client described the plan as a double-edged sword.
Client uses a glue gun for crafts with the children.
Client's nephew plays with a toy gun in the yard.
Client bought a nail gun for the deck.
Client has a new chef's knife and cooks most evenings.
Client cut the cake with a plastic knife.
Client said the tension could be cut with a knife.
Client cut down on coffee this month.
Client cut back on screen time before bed.
Client cut the conversation short because of a meeting.
Client got a haircut and likes it.
Client cut class twice in high school.
Client is cutting corners at work and regrets it.
Client burned the rice and ordered pizza.
Client feels burned out by the end of the quarter.
Client burned a candle and read for an hour.
Client hit a wall with the thesis in March.
Client hit every red light on the way in.
Client hit it off with the new roommate.
Client hit the gym three times this week.
Client is hitting their stride at the new school.
Client beat their own record in the half marathon.
Client beats themselves up about small mistakes.
Client attacked the backlog of emails on Friday.
Client was struck by how kind the teacher was.
Client punched the clock at six each morning.
Client kicked off the project with a lunch.
Client fought traffic for an hour.
Client fought back tears during the film.
Client threw a surprise party for a cousin.
Client threw themselves into the renovation.
Client pushed themselves to attend the reunion.
Client pushed back on an unfair schedule.
Client grabbed lunch with a colleague.
Client grabbed the last seat on the bus.
Client's sister slapped a coat of paint on the fence.
Client choked up when speaking about graduation.
Client choked during the final match and laughed about it.
Client is dying to see the new exhibit.
Client said the plants on the balcony are dying.
Client died of embarrassment when the slide was wrong, as they put it.
Client would die for a good taco, they joked.
Client described the show as drop-dead funny.
Client hopes to disappear into a good book on vacation.
Client described the speech as suicide for the candidate's career.
Client ran suicides at basketball practice as a teenager.
Client's team drew the group of death in the tournament.
Client likes true crime podcasts about old murders.
Client enjoys murder mysteries on the train.
Client watched a horror movie and slept well.
Client dressed up as a pirate with a plastic sword.
Client said the boss threatened to cancel the holiday party.
Client reported that rain threatened the picnic.
Client's ex is a harmless memory now.
Client said no harm was done by the late fee.
Client did not mean any harm with the joke.
Client overdosed on sugar at the fair, they laughed.
Client overdid the gardening and was sore.
Client was followed by a stray dog to the park.
Client follows three recipes from the new cookbook.
Client follows up with the landlord on Monday.
Client watched the sunset with a friend.
Client watches cooking videos in the evening.
Client is being watched by the talent scouts, to their delight.
Client controls the household budget together with their partner.
Client feels in control of the schedule.
Client wants more control over the thermostat at the office.
Client checked in to the hotel late.
Client got permission to work from home.
Client's phone plan costs too much.
Client's bank approved the loan.
Client left the keys at work.
Client left work early on Thursday.
Client left the door unlocked and no harm came of it.
Client lives alone and enjoys the quiet.
Client ate alone in the cafeteria on the first day.
Client was hungry and irritable before lunch.
Client described the fridge as full for once.
Client prepares food for the week on Sundays.
Client has touched base with the tutor.
Client was touched by the letter from the students.
Client shook hands with the mediator.
Client felt shaken by the sudden noise of the truck.
Client is tied up on weekday mornings.
Client tied the knot last summer.
Client feels safe at home.
Client feels unsafe driving on ice and takes the bus.
Client forces themselves to get up at seven.
Client wrote a note to the teacher about the trip.
Client wrote a letter to the editor.
Client gave away old clothes after cleaning the closet.
Client is giving away kittens.
Client rehearsed for the recital.
Client's preparation for the bar exam is on schedule.
Client plans to visit the coast in June.
Client's method for studying is flash cards.
Client intends to apply for the team lead position.
Client has the means to pay for the course.
Client crossed the bridge on foot and felt proud.
Client jumps rope in the yard.
Client learned the ropes quickly.
Client took all of the boxes to the attic.
Client took a lot of photos at the lake.
Client ended it with the gym because of the price.
Client tried to end the call politely.
Client tried to kill a wasp with a newspaper.
Client sprayed the weeds to kill them.
Client saw people from their old school at the market.
Client sees shadows on the wall in the paintings they make.
Client heard someone practicing piano next door.
Client heard people laughing in the courtyard and joined them.
Client gets messages from the carpool group all day.
Client likes the signal boost from the new router.
Client's camera club meets on Tuesdays.
Client is recording a podcast about bicycles.
Client was chosen for the jury.
Client has a special mission at work this spring, a product launch.
Client is suspicious of the used car's mileage.
Client is paranoid about spoilers for the show, as they said with a laugh.
Client said spring pollen makes the dog sneeze.
Client joked about being allergic to Mondays.
Client is allergic to small talk, they joked.
Client discharged the old battery at the recycling center.
Client admitted to being nervous about the date.
Client admitted that the first draft was weak.
Client paid the admission fee for the museum.
Client's admission letter from the college arrived.
Client was admitted to the graduate program.
Client works as an emergency dispatcher and likes the night shift.
Client has an emergency fund of three months.
Client keeps an emergency contact list on the fridge.
Client drove past the emergency exit twice.
Client was born in 1988 and grew up by the sea.
Client drives a Porsche 911 that belonged to their father.
Client has a sunny disposition.
Client's cheerful disposition was evident.
No change to medication.
No changes to medications today.
Medications were not discussed today.
Client works in the medical records department.
Client is studying to become a pharmacist.
Client says laughter is the best medicine.
Client got a taste of their own medicine in the card game.
Client wants to study medicine abroad.
Client's cat weighs 4500 g and is on a diet.
Client read about the danger of compound interest.
Client's favorite band is called Danger Mouse.
Client is in danger of missing the early train.
`
  .trim()
  .split('\n')
