import { describe, expect, it } from 'vitest'
import { searchTerms } from '#server/language/search-terms.ts'
import { asksForSides, findingReader, sidesOf } from './sides.ts'

/** Sentences that answer a question, with the direction and the name of the outcome that is read. */
const READ: readonly (readonly [
  question: string,
  sentences: readonly (readonly [sentence: string, finding: string])[],
])[] = [
  [
    'Do vitamin D tablets lower the rate of falls?',
    [
      ['Daily vitamin D tablets reduced the rate of falls by 12% compared with placebo.', 'decrease: falls'],
      [
        'Contrary to expectation, the number of falls rose by 2.1 per 100 person-years with vitamin D.',
        'increase: falls',
      ],
    ],
  ],
  [
    'Does melatonin shorten sleep latency?',
    [
      ['Sleep latency was 9 minutes shorter with melatonin than with placebo.', 'decrease: Sleep latency'],
      ['Sleep latency was longer with placebo than with melatonin.', 'decrease: Sleep latency'],
      ['Melatonin had no effect on sleep latency.', 'none: sleep latency'],
      ['We found no significant difference in sleep latency between melatonin and placebo.', 'none: sleep latency'],
      ['Melatonin did not significantly reduce sleep latency (p = 0.41).', 'no decrease: sleep latency'],
      ['Melatonin increased total sleep time by 20 minutes and shortened sleep latency.', 'decrease: sleep latency'],
    ],
  ],
  [
    'Does telemonitoring reduce readmission?',
    [
      [
        'The readmission rate was significantly lower in the telemonitoring group (12% vs 19%).',
        'decrease: readmission',
      ],
      ['Telemonitoring was associated with a higher risk of readmission.', 'increase: readmission'],
      ['Readmissions did not differ between telemonitoring and usual care.', 'none: Readmissions'],
    ],
  ],
  [
    'Does a checklist raise the number of faults found?',
    [['Reviewers with the checklist found more faults.', 'increase: faults']],
  ],
  [
    'Does peer tutoring raise the algebra test score?',
    [
      ['Peer tutoring raised the algebra test score by 4.2 points.', 'increase: algebra test score'],
      ['The algebra test score fell by 1.3 points in the tutoring group.', 'decrease: algebra test score'],
    ],
  ],
  [
    'Do hedgerows increase the abundance of bees?',
    [
      ['Bee abundance increased by 40% on farms with hedgerows.', 'increase: Bee abundance'],
      ['Hedgerows led to a significant decline in bee abundance.', 'decrease: bee abundance'],
    ],
  ],
  [
    'Does pair programming lower the defect density?',
    [
      ['Pair programming did not lower the defect density.', 'no decrease: defect density'],
      ['Defect density was higher under pair programming than under solo programming.', 'increase: Defect density'],
    ],
  ],
  [
    'Does pair programming improve code quality?',
    [['Pair programming improved code quality.', 'better: code quality']],
  ],
  ['Do naps improve recall?', [['Naps did not improve recall in students.', 'no better: recall']]],
  ['Do short naps improve recall?', [['Short naps improved recall.', 'better: recall']]],
  [
    'Does aspirin reduce the risk of stroke?',
    [
      ['Stroke risk declined significantly among patients assigned to aspirin.', 'decrease: Stroke'],
      ['Low-dose aspirin did not change the incidence of stroke.', 'none: stroke'],
      ['Aspirin users had a higher risk of stroke than non-users (HR 1.21).', 'increase: stroke'],
    ],
  ],
  [
    'Does mindfulness training lower burnout in nurses?',
    [
      [
        'Compared with the waiting list, mindfulness training decreased burnout (mean difference -4.1).',
        'decrease: burnout',
      ],
      ['At six months, burnout was unchanged in the mindfulness group.', 'none: burnout'],
      ['There was no evidence of a change in burnout after mindfulness training.', 'none: burnout'],
    ],
  ],
  [
    'Do statins affect muscle strength?',
    [
      ['Muscle strength was similar in statin users and controls.', 'none: Muscle strength'],
      ['Statins were associated with a reduction in muscle strength.', 'decrease: muscle strength'],
      ['Muscle strength grew by 3% under statins.', 'increase: Muscle strength'],
    ],
  ],
  [
    'Does homework raise mathematics achievement?',
    [
      ['Homework resulted in a 6% increase in mathematics achievement.', 'increase: mathematics achievement'],
      ['Homework failed to raise mathematics achievement.', 'no increase: mathematics achievement'],
    ],
  ],
  [
    'Do beavers increase fish diversity?',
    [
      ['Fish diversity was greater at sites with beavers than at sites without beavers.', 'increase: Fish diversity'],
      ['Beavers reduced fish diversity and water temperature.', 'decrease: fish diversity'],
    ],
  ],
  [
    'Does static typing reduce the number of bugs?',
    [
      ['Static typing lowered the number of bugs by 15%.', 'decrease: bugs'],
      [
        'The number of bugs was not significantly lower with static typing than with dynamic typing.',
        'no decrease: bugs',
      ],
    ],
  ],
  ['Does code review shorten build time?', [['Code review prolonged build time by 8%.', 'increase: build time']]],
  [
    'Do studies agree that yoga lowers blood pressure?',
    [['Yoga worsened sleep but lowered blood pressure.', 'decrease: blood pressure']],
  ],
  [
    'Does metformin reduce body weight?',
    [
      ['Mean body weight fell by 2.4 kg with metformin and by 0.3 kg with placebo.', 'decrease: body weight'],
      ['Metformin produced a 3% reduction in body weight over one year.', 'decrease: body weight'],
      ['Body weight was not affected by metformin.', 'none: Body weight'],
      ['In adults with obesity, metformin reduced body weight and fasting glucose.', 'decrease: body weight'],
      ['Unexpectedly, body weight increased in the metformin arm.', 'increase: body weight'],
    ],
  ],
  [
    'Do studies disagree on whether cover crops raise soil moisture?',
    [
      [
        'Soil moisture at sowing was 4% lower after cover crops than after bare fallow.',
        'decrease: Soil moisture at sowing',
      ],
      ['Cover crops increased soil moisture in both years.', 'increase: soil moisture'],
      ['We detected no effect of cover crops on soil moisture.', 'none: soil moisture'],
      ['Plots with cover crops had higher soil moisture than fallow plots.', 'increase: soil moisture'],
    ],
  ],
  [
    'Does feedback improve writing quality?',
    [
      ['Writing quality improved significantly in classes that received feedback.', 'better: Writing quality'],
      ['Automated feedback worsened writing quality.', 'worse: writing quality'],
      ['Feedback did not affect writing quality.', 'none: writing quality'],
    ],
  ],
  [
    'Does test-driven development lower defect density?',
    [
      ['Teams using test-driven development had a 40% lower defect density.', 'decrease: defect density'],
      ['Test-driven development made no difference to defect density.', 'none: defect density'],
      [
        'Defect density did not differ significantly between test-driven development and test-last development.',
        'none: Defect density',
      ],
    ],
  ],
  [
    'Is the evidence on wind farms and bat mortality mixed?',
    [['Wind farms were associated with lower bat mortality.', 'decrease: bat mortality']],
  ],
  [
    'Does probiotic yoghurt reduce the duration of diarrhoea?',
    [
      [
        'The mean duration of diarrhoea was shorter in the probiotic yoghurt group than in the control group (3.1 vs 4.0 days).',
        'decrease: duration of diarrhoea',
      ],
      ['Probiotic yoghurt did not shorten the duration of diarrhoea.', 'no decrease: duration of diarrhoea'],
      [
        'In children with rotavirus, probiotic yoghurt significantly reduced diarrhoea duration.',
        'decrease: diarrhoea duration',
      ],
      [
        'Probiotic yoghurt reduced the duration of antibiotic treatment for diarrhoea.',
        'decrease: duration of antibiotic treatment for diarrhoea',
      ],
    ],
  ],
  [
    'Do studies conflict on whether retrieval practice raises exam scores?',
    [
      ['Exam scores were 7% higher after retrieval practice than after rereading.', 'increase: Exam scores'],
      ['Retrieval practice had no significant effect on exam scores.', 'none: exam scores'],
      ['Students using retrieval practice had lower exam scores than students who reread.', 'decrease: exam scores'],
      [
        'Retrieval practice raised exam scores of weak students and lowered those of strong students.',
        'increase: exam scores of weak students',
      ],
    ],
  ],
  [
    'Does grazing increase plant diversity?',
    [
      ['Grazing increased plant diversity at all scales.', 'increase: plant diversity'],
      ['Plant diversity declined by 12% under grazing.', 'decrease: Plant diversity'],
      ['We found that grazing did not alter plant diversity.', 'none: plant diversity'],
    ],
  ],
  [
    'Does continuous integration reduce code churn?',
    [
      ['Code churn increased significantly after the introduction of continuous integration.', 'increase: Code churn'],
      ['Code churn remained stable under continuous integration.', 'none: Code churn'],
    ],
  ],
  [
    'Does caffeine improve reaction time?',
    [
      ['Caffeine improved reaction time in sleep-deprived drivers.', 'better: reaction time'],
      ['Reaction time did not improve with caffeine.', 'no better: Reaction time'],
    ],
  ],
  [
    'Does caffeine reduce reaction time?',
    [['There was no significant difference in reaction time between caffeine and placebo.', 'none: reaction time']],
  ],
  [
    'Does vitamin D reduce falls in patients with osteoporosis?',
    [['Vitamin D reduced falls in patients with osteoporosis.', 'decrease: falls']],
  ],
  [
    'Does vitamin D reduce mortality?',
    [['Vitamin D reduced mortality from cancer.', 'decrease: mortality from cancer']],
  ],
  ['Does paracetamol reduce fever?', [['Paracetamol reduced fever and pain increased.', 'decrease: fever']]],
]

/** Sentences that report no finding about the question, or none that is certain. */
const UNREAD: readonly (readonly [question: string, sentences: readonly string[]])[] = [
  [
    'Does social media use increase anxiety?',
    ['Limiting social media use reduced anxiety.', 'Anxiety fell after a social media restriction program.'],
  ],
  ['Does caffeine improve sleep quality?', ['Avoiding caffeine improved sleep quality.']],
  ['Does breakfast improve attention?', ['Skipping breakfast worsened attention.']],
  ['Does gluten worsen symptoms?', ['The gluten-free group had fewer symptoms.']],
  ['Does a gluten-free diet reduce symptoms?', ['Gluten increased symptoms.']],
  ['Does reducing salt lower blood pressure?', ['Salt raised blood pressure.']],
  [
    'Does aspirin reduce pain?',
    [
      'Aspirin reduced pain, but the difference was not significant.',
      'Aspirin reduced pain; the difference was not significant.',
      'There was a nonsignificant reduction in pain with aspirin.',
      'Aspirin nonsignificantly reduced pain.',
      'Pain was lower with aspirin than with placebo (p = 0.41).',
      'Pain was lower with aspirin than with placebo (not significant).',
      'Pain was lower with aspirin than with placebo (HR 0.97, 95% CI 0.85-1.11).',
      'Aspirin reduced pain (mean difference −0.4, 95% CI −1.1 to 0.3).',
      'Aspirin reduced pain without reaching statistical significance.',
      'At baseline, pain was similar in the aspirin and placebo groups.',
      'Pain was similar in the aspirin and placebo groups at baseline.',
      'There was no difference in pain between aspirin doses.',
      'Pain did not differ between the aspirin groups.',
      'Pain decreased in the aspirin and placebo groups.',
      'Pain fell by 2.4 points with aspirin and by 2.1 points with placebo.',
      'Aspirin decreased pain at rest and increased it during exercise.',
      'Aspirin and pain increased.',
      'In the aspirin group, days with pain decreased.',
    ],
  ],
  [
    'Does erenumab reduce the number of migraine days?',
    ['Erenumab reduced the number of days with migraine.', 'Erenumab increased the number of days without migraine.'],
  ],
  ['Does vitamin D reduce falls?', ['Vitamin D reduced falls in those with a deficiency.']],
  [
    'Does vitamin D reduce falls in patients with osteoporosis?',
    ['Vitamin D reduced falls in patients with diabetes.'],
  ],
  [
    'Do vitamin D tablets lower the rate of falls?',
    [
      'Vitamin D tablets reduced the fear of falls.',
      'Falls declined in women but not in men who took vitamin D.',
      'Vitamin D may reduce the rate of falls.',
      'We hypothesised that vitamin D would reduce the rate of falls.',
      'Residents who took vitamin D tablets were less likely to fall.',
      'Previous studies found that vitamin D reduced the rate of falls.',
      'Smith et al. reported that vitamin D increased falls.',
      'Calcium tablets reduced the rate of falls.',
      'The rate of falls fell in both groups.',
      'It fell by 2.1 falls per 100 person-years.',
    ],
  ],
  [
    'Does melatonin shorten sleep latency?',
    [
      'To shorten sleep latency, patients took melatonin at 9 pm.',
      'Whether melatonin shortened sleep latency remained unclear.',
      'The decline in sleep latency was greater with melatonin than with placebo.',
      'Sleep latency did not differ between men and women.',
      'Sleep latency fell with placebo.',
    ],
  ],
  [
    'Does telemonitoring reduce readmission?',
    [
      'Patients with reduced readmission risk were excluded from telemonitoring.',
      'Telemonitoring reduced readmission only in patients with diabetes.',
      'No study has shown that telemonitoring increased readmission.',
    ],
  ],
  ['Do hedgerows increase the abundance of bees?', ['Bee abundance fell with distance from hedgerows.']],
  ['Do short naps improve recall?', ['Long naps improved recall.']],
  [
    'Does aspirin reduce the risk of stroke?',
    [
      'Aspirin reduced the risk of bleeding stroke in smokers.',
      'Stroke risk increased after aspirin was withdrawn.',
      'Patients who had not taken aspirin had a lower risk of stroke.',
      'It is believed that aspirin reduces the risk of stroke.',
      'Clopidogrel reduced the risk of stroke more than aspirin.',
    ],
  ],
  [
    'Does mindfulness training lower burnout in nurses?',
    [
      'Burnout increased with age in the mindfulness group.',
      'Nurses with lower burnout attended more mindfulness sessions.',
      'A decrease in burnout after mindfulness training was expected.',
      'Burnout of nurses rose during the pandemic.',
    ],
  ],
  [
    'Do statins affect muscle strength?',
    [
      'Muscle strength decreased less with statins than with placebo.',
      'The effect of statins on muscle strength increased with dose.',
      'Muscle strength did not only fall with statins.',
    ],
  ],
  ['Does class size influence reading scores?', ['Smaller classes increased reading scores in the first grade.']],
  [
    'Does homework raise mathematics achievement?',
    [
      'Mathematics achievement dropped when homework was assigned daily.',
      'Interest in mathematics achievement tests increased with homework.',
      'Teachers reported that homework raised the workload of mathematics tutors.',
      'Homework-free classes had higher mathematics achievement.',
      'H1: Homework raises mathematics achievement.',
      'Mathematics achievement rose, although homework was rare.',
    ],
  ],
  [
    'Do beavers increase fish diversity?',
    [
      'The variance of fish diversity increased at sites with beavers.',
      'Removal of beavers increased fish diversity.',
      'If beavers return, fish diversity increases.',
    ],
  ],
  [
    'Does static typing reduce the number of bugs?',
    [
      'Static typing reduced the number of bugs that developers introduced on purpose.',
      'Dynamic typing did not increase the number of bugs.',
    ],
  ],
  ['Do studies agree that yoga lowers blood pressure?', ['A lack of yoga raised blood pressure.']],
  [
    'Does metformin reduce body weight?',
    [
      'Body weight decreased in patients whose metformin was replaced by semaglutide.',
      'Metformin reduced the increase in body weight.',
      'Insulin raised body weight more than metformin.',
      'Metformin users with low body weight had a higher risk of falls.',
      'Adding exercise to metformin reduced body weight.',
      'Body weight and metformin dose increased during pregnancy.',
      'Metformin lowers body weight in mice fed a high-fat diet [12].',
      'The aim was to test whether metformin reduced body weight.',
    ],
  ],
  [
    'Do studies disagree on whether cover crops raise soil moisture?',
    [
      'Soil moisture fell during the drought in all plots with cover crops.',
      'Cover crops increased soil moisture in wet years and decreased soil moisture in dry years.',
      'Termination of cover crops increased soil moisture.',
      'Cover crops grew better where soil moisture was higher.',
    ],
  ],
  [
    'Does feedback improve writing quality?',
    [
      'Students improved writing quality less with feedback than with models.',
      'Negative feedback was more frequent when writing quality was lower.',
      'Perceived writing quality increased with feedback.',
    ],
  ],
  [
    'Does test-driven development lower defect density?',
    [
      'Defect density fell by 10% in teams that abandoned test-driven development.',
      'Test-driven development lowered defect density by 5% in one project and raised it by 7% in another.',
      'Defect density is a poor measure, and test-driven development increased effort.',
    ],
  ],
  [
    'Is the evidence on wind farms and bat mortality mixed?',
    [
      'Curtailment of wind farms reduced bat mortality by 50%.',
      'Bat mortality decreased with wind speed at wind farms.',
      'Wind farms with taller towers had higher bat mortality.',
    ],
  ],
  [
    'Does probiotic yoghurt reduce the duration of diarrhoea?',
    [
      'The duration of diarrhoea was shorter with zinc than with probiotic yoghurt.',
      'The duration of diarrhoea fell in hospitals where probiotic yoghurt was scarce.',
      'Children who refused probiotic yoghurt had a longer duration of diarrhoea.',
    ],
  ],
  [
    'Do studies conflict on whether retrieval practice raises exam scores?',
    [
      'Exam scores rose with the number of lectures attended.',
      'Retrieval practice increased the time spent on exam preparation.',
      'Teachers expected that retrieval practice would raise exam scores.',
    ],
  ],
  [
    'Does grazing increase plant diversity?',
    [
      'The exclusion of grazing increased plant diversity.',
      'Reduced grazing increased plant diversity.',
      'With less grazing, plant diversity increased.',
      'Plant diversity increased under reduced grazing.',
      'Plant diversity was higher in low-grazing plots.',
      'Lightly grazed plots had higher plant diversity than heavily grazed plots.',
      'Plant diversity increased when grazing ceased.',
      'Grazing by deer, unlike grazing by cattle, reduced plant diversity.',
      'Plant diversity increased grazing by deer.',
    ],
  ],
  [
    'Does continuous integration reduce code churn?',
    [
      'Projects with high code churn adopted continuous integration later.',
      'Code churn fell before continuous integration was introduced.',
    ],
  ],
  [
    'Does caffeine improve reaction time?',
    [
      'Reaction time worsened after caffeine withdrawal.',
      'Caffeine and sugar together improved reaction time.',
      'High doses of caffeine improved reaction time, low doses worsened reaction time.',
    ],
  ],
]

const find = (question: string, sentence: string, paper = question) =>
  findingReader(question)(sentence, () => new Set(searchTerms(paper)))
const pairs = <T>(table: readonly (readonly [string, readonly T[]])[]) =>
  table.flatMap(([question, list]) => list.map((one) => [question, one] as const))

describe('findingReader', () => {
  it.each(pairs(READ))(
    'findingReader reads the finding about the question %s (LIB-16): %j',
    (question, [sentence, finding]) => {
      const { direction, outcome } = find(question, sentence)!
      expect(`${direction}: ${outcome.core}`).toBe(finding)
    },
  )

  it.each(pairs(UNREAD))('findingReader reads no finding about the question %s (LIB-16): %s', (question, sentence) => {
    expect(find(question, sentence)).toBeNull()
  })

  it('findingReader reads a sentence without the name of the treatment only in a paper about it', () => {
    const question = 'Does mindfulness lower burnout?'
    const sentence = 'Burnout fell by 3 points in the intervention group.'
    expect(find(question, sentence, 'Mindfulness for nurses')?.direction).toBe('decrease')
    expect(find(question, sentence, 'Yoga for nurses')).toBeNull()
  })

  it('findingReader does not request the terms of the paper for a sentence that names the treatment', () => {
    const read = findingReader('Does aspirin reduce pain?')
    const terms = () => {
      throw new Error('The terms were requested.')
    }
    expect(read('Aspirin reduced pain.', terms)?.direction).toBe('decrease')
    expect(() => read('Pain fell in the intervention group.', terms)).toThrow('The terms were requested.')
  })

  it.each([
    'Which studies contradict each other on aspirin and stroke?',
    'Do studies agree that aspirin lowers the risk of stroke?',
    'Is the evidence on aspirin and stroke mixed?',
  ])('findingReader takes no words for studies and agreement as a part of the treatment: %s', (question) => {
    expect(find(question, 'Aspirin reduced stroke.', 'Aspirin and stroke')?.direction).toBe('decrease')
  })

  it('findingReader reads a part of the name of the treatment only in a paper that contains the whole name', () => {
    const [question, sentence] = ['Does peer tutoring raise algebra scores?', 'Tutoring raised algebra scores.']
    expect(find(question, sentence, 'Peer tutoring in schools')?.direction).toBe('increase')
    expect(find(question, sentence, 'Tutoring by adults')).toBeNull()
  })

  it('findingReader ends for sentences that repeat a word many times', () => {
    const parts = ['x', 'no ', 'by 1 ', 'with aspirin ', 'not rose ', 'fell reduced ', 'clearly ', 'a a ', 'and of ']
    for (const part of parts)
      for (const start of ['', 'Aspirin reduced pain in ', 'No effect of aspirin ', 'Pain fell by 2 '])
        // A pattern with exponential backtracking would exceed the time limit of the test.
        expect(() => find('Does aspirin reduce pain?', `${start}${part.repeat(700 / part.length)}.`)).not.toThrow()
  })
})

describe('sidesOf', () => {
  const question = 'Does aspirin reduce the risk of stroke?'
  const phrases = (...sentences: string[]) =>
    sidesOf(sentences.map((sentence) => ({ finding: find(question, sentence) })))
  const LESS = 'Aspirin reduced the risk of stroke.'
  const MORE = 'Aspirin increased the risk of stroke.'

  it('sidesOf names the direction and the outcome of each side, and leaves other quotes out', () => {
    expect(phrases(LESS, MORE, 'Aspirin may cause bleeding.', LESS)).toEqual([
      'a decrease in the risk of stroke',
      'an increase in the risk of stroke',
      null,
      'a decrease in the risk of stroke',
    ])
  })

  it('sidesOf names the outcome in general if a side words it differently', () => {
    expect(
      phrases(
        LESS,
        'Aspirin lowered the incidence of stroke.',
        'Stroke risk was higher with aspirin than with placebo.',
      ),
    ).toEqual(['a decrease in stroke', 'a decrease in stroke', 'an increase in stroke risk'])
  })

  it.each([
    ['the same direction', question, [LESS, LESS]],
    ['an increase and no decrease', question, [MORE, 'Aspirin did not reduce the risk of stroke.']],
    [
      'different kinds of a treatment',
      question,
      ['Short aspirin courses reduced stroke.', 'Long aspirin courses increased stroke.'],
    ],
    [
      'comparisons with placebo and with another drug',
      question,
      [
        'Aspirin reduced the risk of stroke compared with placebo.',
        'The risk of stroke was higher with aspirin than with clopidogrel.',
      ],
    ],
    [
      'an effect, and no difference from another drug',
      question,
      [LESS, 'There was no difference in the risk of stroke between aspirin and clopidogrel.'],
    ],
    [
      'different causes of death',
      'Does vitamin D reduce mortality?',
      ['Vitamin D reduced mortality from cancer.', 'Vitamin D did not reduce mortality from stroke.'],
    ],
    [
      'different kinds of a quantity',
      'Do humidifiers raise humidity?',
      ['Humidifiers raised absolute humidity.', 'Humidifiers lowered humidity.'],
    ],
  ])('sidesOf forms no sides for %s', (_, asked, sentences) => {
    const findings = sentences.map((sentence) => find(asked, sentence))
    expect(findings).not.toContain(null)
    expect(sidesOf(findings.map((finding) => ({ finding })))).toEqual(sentences.map(() => null))
  })

  it('sidesOf forms no sides for one paper', () => {
    expect(phrases(LESS)).toEqual([null])
  })

  it('sidesOf forms sides for comparisons with the same treatment only', () => {
    expect(
      phrases(
        LESS,
        'The risk of stroke was higher with aspirin than with clopidogrel.',
        'Aspirin reduced the risk of stroke compared with clopidogrel.',
        'There was no difference in the risk of stroke between aspirin and clopidogrel.',
      ),
    ).toEqual([
      null,
      'an increase in the risk of stroke',
      'a decrease in the risk of stroke',
      'no clear difference in the risk of stroke',
    ])
  })

  it('sidesOf retains a word of measurement that belongs to the name', () => {
    const sentences = [
      'Caffeine raised the heart rate.',
      'Caffeine increased heart rate.',
      'Caffeine lowered the mean heart rate.',
      'Caffeine lowered heart rate.',
    ]
    const findings = sentences.map((sentence) => find('Does caffeine raise the heart rate?', sentence))
    expect(sidesOf(findings.map((finding) => ({ finding })))).toEqual([
      'an increase in the heart rate',
      'an increase in the heart rate',
      'a decrease in heart rate',
      'a decrease in heart rate',
    ])
  })
})

it.each([
  ['Does aspirin reduce the risk of stroke?', true],
  ['Which studies contradict each other on aspirin?', true],
  ['What did the nurses eat?', false],
  ['How many adults took part?', false],
])('asksForSides is decided by the words of the question: %s', (question, is) => {
  expect(asksForSides(question)).toBe(is)
})
