import { describe, expect, it } from 'vitest'
import { refersBack } from './refers-back.ts'

/** Questions after an earlier question: true if the user continues its subject, false if the user begins another subject. */
const PAIRS: readonly [before: string, question: string, refers: boolean][] = [
  // Written before the rules.
  [
    'Do statins reduce mortality in patients with heart failure?',
    'Is there evidence that vitamin D prevents fractures in older women?',
    false,
  ],
  [
    'Do naps improve memory in nurses?',
    'How do patients who lose their partner cope with grief in the first year?',
    false,
  ],
  ['Does yoga reduce back pain?', 'Is it safe to take ibuprofen during the third trimester of pregnancy?', false],
  ['Does yoga reduce back pain?', 'Which factors predict that a preterm infant develops chronic lung disease?', false],
  [
    'Do naps improve memory in nurses?',
    'Do children who skip breakfast change their food choices later in the day?',
    false,
  ],
  ['Does coffee protect the liver?', 'What are the barriers that keep farmers from adopting drip irrigation?', false],
  ['Does coffee protect the liver?', 'How long does it take to learn to walk with a prosthetic leg?', false],
  [
    'Are e-cigarettes effective for quitting?',
    'Does a hospital lose money when it replaces paper records with electronic records?',
    false,
  ],
  [
    'Are e-cigarettes effective for quitting?',
    'Is survival after stroke better in specialised units than that in general wards?',
    false,
  ],
  ['Do masks prevent influenza?', 'Do smokers have more tooth loss than those who never smoked?', false],
  ['Do masks prevent influenza?', 'Why do older adults wake up more often during the night than young adults?', false],
  ['Do masks prevent influenza?', 'Can a virus survive on steel when it is kept at low humidity?', false],
  ['Do statins reduce mortality in patients with heart failure?', 'Was it also found in women?', true],
  [
    'Do statins reduce mortality in patients with heart failure?',
    'Did they measure quality of life with a validated questionnaire?',
    true,
  ],
  ['Do naps improve memory in nurses?', 'Which of these trials included participants older than 65 years?', true],
  ['Do naps improve memory in nurses?', 'What about night nurses in intensive care units with long shifts?', true],
  ['Does yoga reduce back pain?', 'And in patients with severe chronic kidney disease?', true],
  ['Does yoga reduce back pain?', 'Why?', true],
  ['Does coffee protect the liver?', 'How large was its effect on liver enzymes in heavy drinkers?', true],
  ['Does coffee protect the liver?', 'Is that true for decaffeinated coffee in patients with hepatitis C?', true],
  ['Are e-cigarettes effective for quitting?', 'How many participants dropped out?', true],
  [
    'Are e-cigarettes effective for quitting?',
    'Were adverse events more common in these participants than in the control group?',
    true,
  ],
  ['Do masks prevent influenza?', 'How about cloth masks in crowded trains during winter?', true],
  ['Do masks prevent influenza?', 'In those studies, how was the infection confirmed in the laboratory?', true],
  // Written after the rules.
  [
    'Do statins reduce mortality in patients with heart failure?',
    'What is known about the risk that asbestos poses to plumbers?',
    false,
  ],
  [
    'Do statins reduce mortality in patients with heart failure?',
    'Do nurses report that their workload affects patient safety?',
    false,
  ],
  ['Does exercise help against depression?', 'How do bees find their way back to the hive?', false],
  ['Does exercise help against depression?', 'Is it possible to detect pancreatic cancer with a blood test?', false],
  [
    'Does exercise help against depression?',
    'Does it matter whether antibiotics are given before or after the incision?',
    false,
  ],
  ['Which diets lower blood pressure?', 'Do teachers who receive feedback improve their lessons?', false],
  ['Which diets lower blood pressure?', 'How does lithium affect its target enzymes in neurons?', false],
  [
    'Which diets lower blood pressure?',
    'Are children of parents with asthma more likely to have it themselves?',
    false,
  ],
  [
    'Does zinc shorten a cold?',
    'Does microplastic in drinking water accumulate in organs, and does that harm human health?',
    false,
  ],
  [
    'Does zinc shorten a cold?',
    'How many hours of sleep do teenagers need so that they perform well at school?',
    false,
  ],
  ['Does zinc shorten a cold?', 'Are outcomes of home births similar to those of planned hospital births?', false],
  [
    'Does zinc shorten a cold?',
    'But does surgery help people with chronic knee osteoarthritis more than physiotherapy?',
    false,
  ],
  [
    'Do statins reduce mortality in patients with heart failure?',
    'Were they given in the morning or in the evening?',
    true,
  ],
  [
    'Do statins reduce mortality in patients with heart failure?',
    'Does it also lower the number of hospital admissions?',
    true,
  ],
  [
    'Does exercise help against depression?',
    'Which of them randomised patients by centre rather than individually?',
    true,
  ],
  ['Does exercise help against depression?', 'How long did these effects last after the end of treatment?', true],
  ['Does exercise help against depression?', 'Is it effective for adolescents with severe symptoms?', true],
  ['Which diets lower blood pressure?', 'Are any of those diets suitable for patients with diabetes?', true],
  ['Which diets lower blood pressure?', 'What explains this?', true],
  ['Which diets lower blood pressure?', 'But in people without hypertension at the start?', true],
  ['Does zinc shorten a cold?', 'What were the side effects?', true],
  ['Does zinc shorten a cold?', 'Was the same dose used in children and in adults?', true],
  ['Does zinc shorten a cold?', 'Who paid for these trials?', true],
  ['Does zinc shorten a cold?', 'Did they find that it also reduces fever in infants?', true],
]

describe('refersBack', () => {
  it.each(PAIRS)('refersBack: after %j, the question %j gives %j', (_before, question, refers) => {
    expect(refersBack(question)).toBe(refers)
  })
})
