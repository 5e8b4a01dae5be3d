import { describe, expect, it } from 'vitest'
import { searchTerms } from '#server/language/search-terms.ts'
import { findingReader } from './sides.ts'

type Table = readonly (readonly [
  question: string,
  sentences: readonly (readonly [sentence: string, finding: string | null])[],
])[]

/** Sentences in the style of abstracts, with the direction and the name of the outcome that is read; null for no finding. */
const READ: Table = [
  [
    'Does social media use increase anxiety?',
    [
      ['A four-week social media abstinence program reduced anxiety.', null],
      ['Social media use was associated with higher anxiety in adolescents (b = 0.21, P < .001).', 'increase: anxiety'],
      ['Anxiety was lower among light social media users than among heavy users.', null],
      ['Anxiety was unaffected by social media use.', 'none: Anxiety'],
      ['Former social media users had lower anxiety.', null],
    ],
  ],
  [
    'Does deep brain stimulation improve motor symptoms?',
    [
      [
        'Deep brain stimulation improved motor symptoms compared with best medical treatment.',
        'better: motor symptoms',
      ],
      ['Motor symptoms worsened after deep brain stimulation was switched off.', null],
      ['At the start of the trial, motor symptoms were similar in the stimulation and sham groups.', null],
    ],
  ],
  [
    'Does exercise reduce depressive symptoms?',
    [
      [
        'Exercise significantly reduced depressive symptoms (SMD -0.43, 95% CI -0.60 to -0.26).',
        'decrease: depressive symptoms',
      ],
      [
        'Depressive symptoms were not significantly lower after exercise than after stretching (SMD -0.10, 95% CI -0.31 to 0.11).',
        'no decrease: Depressive symptoms',
      ],
      ['There was a small reduction in depressive symptoms with exercise (SMD -0.10, 95% CI -0.31 to 0.11).', null],
      ['Exercise reduced depressive symptoms in unadjusted models.', null],
      ['Depressive symptoms fell by 3.1 points with exercise and by 2.9 points with health education.', null],
      ['Exercise did not reach statistical significance in reducing depressive symptoms.', null],
    ],
  ],
  [
    'Does irrigation increase soil salinity?',
    [
      ['Deficit irrigation decreased soil salinity.', null],
      ['Irrigation with saline water increased soil salinity.', null],
      ['Irrigation had no significant effect on soil salinity (P > 0.05).', 'none: soil salinity'],
      ['Soil salinity was 15% lower under irrigation than under rainfed conditions, but not significantly.', null],
    ],
  ],
  [
    'Does dexamethasone reduce postoperative nausea?',
    [
      ['Dexamethasone 8 mg reduced postoperative nausea more than dexamethasone 4 mg.', null],
      [
        'Postoperative nausea was less frequent in the dexamethasone group than in the placebo group (OR 0.48, 95% CI 0.30-0.77).',
        'decrease: Postoperative nausea',
      ],
      ['Postoperative nausea was less frequent with ondansetron than with dexamethasone.', null],
      ['Dexamethasone did not reduce postoperative nausea in women.', null],
      ['The two dexamethasone doses had similar postoperative nausea.', null],
      [
        'Postoperative nausea was less common with dexamethasone (risk ratio 0.91; 95% confidence interval, 0.80 to 1.04).',
        null,
      ],
    ],
  ],
  [
    'Do cash transfers increase school attendance?',
    [
      ['Cash transfers increased school attendance by 7 percentage points.', 'increase: school attendance'],
      ['Conditional cash transfers had no effect on school attendance among boys.', null],
      ['We predicted that cash transfers increase school attendance.', null],
      ['School attendance rose equally in the cash transfer and control villages.', null],
      [
        'School attendance did not differ between households with cash transfers and control households.',
        'none: School attendance',
      ],
      ['Ending the cash transfers decreased school attendance.', null],
    ],
  ],
  ['Does vitamin D deficiency increase falls?', [['Vitamin D reduced falls.', null]]],
  [
    'Does reducing salt intake lower blood pressure?',
    [
      ['Salt intake increased blood pressure.', null],
      ['Reducing salt intake lowered blood pressure.', null],
    ],
  ],
  [
    'Do wind farms reduce bird abundance?',
    [
      ['Bird abundance was lower on farms.', null],
      ['Wind farms reduced bird abundance by 53%.', 'decrease: bird abundance'],
      ['Bird abundance was similar at wind farms before and after construction.', null],
      ['Bird abundance was higher in areas without wind farms.', null],
      ['Wind farms reduced bird abundance in winter and increased it in summer.', null],
    ],
  ],
  [
    'Does unit testing reduce bugs?',
    [
      ['Unit testing was associated with fewer bugs (β = -0.3, p = .21).', null],
      ['H3a: Unit testing reduces bugs.', null],
      ['It is well known that unit testing reduces bugs.', null],
      ['Projects with unit testing had fewer bugs.', 'decrease: bugs'],
    ],
  ],
  [
    'Does noise exposure raise blood pressure?',
    [
      ['Noise exposure raised blood pressure.', 'increase: blood pressure'],
      ['Blood pressure fell after noise exposure was reduced.', null],
      ['Noise-reduced wards had lower blood pressure.', null],
    ],
  ],
  [
    'Do statins reduce mortality in older adults?',
    [
      [
        'All-cause mortality did not differ significantly between the statin and placebo groups (HR 0.97, 95% CI 0.85 to 1.10).',
        'none: All-cause mortality',
      ],
      ['Statins were associated with lower mortality (odds ratio 0.93, 95% CI 0.84-1.04).', null],
      [
        'Statin therapy significantly reduced mortality (hazard ratio 0.82, 95% CI 0.71 to 0.95; P < 0.01).',
        'decrease: mortality',
      ],
      ['Among statin users, mortality was higher in those over 80 years than in younger patients.', null],
    ],
  ],
  [
    'Does nitrogen fertilizer increase wheat yield?',
    [
      [
        'Nitrogen fertilizer increased wheat yield by 1.2 t ha-1 relative to the unfertilized control.',
        'increase: wheat yield',
      ],
      ['Wheat yield was 18% higher at 180 kg N than at 90 kg N.', null],
      ['Halving the nitrogen fertilizer rate did not reduce wheat yield.', null],
      ['No significant yield response to nitrogen fertilizer was observed.', null],
    ],
  ],
  [
    'Does remote work increase productivity?',
    [
      ['Productivity rose by 13% among employees assigned to remote work.', 'increase: Productivity'],
      ['H2: Remote work decreases productivity.', null],
      ['Working fewer days remotely increased productivity.', null],
      ['Remote work had no measurable impact on productivity.', 'none: productivity'],
    ],
  ],
  [
    'Does screen time worsen sleep quality in adolescents?',
    [
      ['Cutting screen time in the evening improved sleep quality.', null],
      ['Adolescents with less screen time had better sleep quality.', null],
      ['Screen time worsened sleep quality in adolescents.', 'worse: sleep quality'],
    ],
  ],
  [
    'Does intermittent fasting reduce body weight?',
    [
      ['Body weight at baseline was similar in the fasting and control groups.', null],
      ['Intermittent fasting led to greater reductions in body weight than continuous restriction.', null],
      ['Intermittent fasting was non-inferior to continuous restriction for body weight.', null],
      [
        'After 12 weeks, mean body weight had fallen by 3.4 kg in the intermittent fasting group.',
        'decrease: body weight',
      ],
    ],
  ],
  [
    'Do microplastics reduce the growth of mussels?',
    [
      ['Exposure to microplastics did not affect the growth of mussels.', 'none: growth of mussels'],
      ['Growth of mussels was higher in microplastic-free water.', null],
      ['We tested whether microplastics reduced the growth of mussels.', null],
    ],
  ],
  [
    'Does code review reduce defects?',
    [
      ['Code review reduced defects, although not significantly.', null],
      ['Code review slightly reduced defects (p = 0.08).', null],
    ],
  ],
  [
    'Does mindfulness reduce anxiety in students?',
    [['Anxiety decreased from pre-test to post-test in both the mindfulness and the control group.', null]],
  ],
  [
    'Do minimum wages reduce employment?',
    [
      ['A higher minimum wage reduced teenage employment.', 'decrease: teenage employment'],
      ['Minimum wages had a small, statistically insignificant negative effect on employment.', null],
      ['Employment was unaffected by minimum wages.', 'none: Employment'],
      ['Lower minimum wages increased employment.', null],
    ],
  ],
  [
    'Does prone positioning reduce mortality in ARDS?',
    [
      ['The 28-day mortality was 16.0% in the prone group and 32.8% in the supine group.', null],
      ['Prone positioning reduced mortality in patients with severe hypoxemia.', null],
      ['Mortality from respiratory failure decreased with prone positioning.', null],
    ],
  ],
  [
    'Does aspirin reduce pain?',
    [
      ['Patients with pain had higher aspirin use.', null],
      ['Pain was lower in the ibuprofen group than in the aspirin and placebo groups.', null],
      ['Pain was lower in the treatment group than in the aspirin group.', null],
      ['Aspirin-treated mice had less pain.', 'decrease: pain'],
      ['Aspirin resistance increased pain.', null],
      ['Pain decreased significantly more with ibuprofen than with aspirin.', null],
      ['Pain decreased more with placebo than with aspirin.', null],
      ['After aspirin, pain fell from 6.2 to 4.1, compared with 6.0 to 4.0 after placebo.', null],
      ['Pain fell by 2.1 points with aspirin compared with 2.0 points with placebo.', null],
      ['Pain was reduced in 40% of the aspirin group and in 38% of the placebo group.', null],
      ['Aspirin reduced pain, but this was explained by age.', null],
      ['Aspirin reduced pain as much as placebo.', null],
      ['Aspirin reduced pain in three of five trials.', null],
      ['Aspirin reduced pain at 24 h, with no effect at 48 h.', null],
      ['Pain in aspirin users decreased over time.', null],
      ['Aspirin was inversely associated with increased pain.', null],
      ['Aspirin protected against increased pain.', null],
      ['Aspirin users reported increased pain.', null],
      ['Drug-free aspirin users had less pain.', null],
      ['Pain scores decreased in the aspirin group (from 6 to 4) and in the control group (from 6 to 4).', null],
      ['Aspirin reduced pain (HR 0.97 [0.85–1.11]).', null],
      ['Aspirin reduced pain (p<0.10).', null],
      ['Aspirin reduced pain (p = 0.003).', 'decrease: pain'],
      ['Statistical significance was not reached, and aspirin reduced pain.', null],
      ['Compared with ibuprofen, aspirin increased pain.', 'increase: pain'],
      ['Pain was reduced after switching to aspirin.', null],
      ['Pain was reduced by aspirin.', 'decrease: Pain'],
      ['Aspirin led to a 20% reduction in pain.', 'decrease: pain'],
      ['Pain was reduced when aspirin was added.', null],
      ['Aspirin reduced pain among women with endometriosis.', null],
      ['The ASPREE trial found that aspirin increased pain.', null],
      ['Pain at rest was lower with aspirin.', 'decrease: Pain at rest'],
      ['Aspirin 100 mg reduced pain.', null],
      ['Two weeks of aspirin reduced pain.', 'decrease: pain'],
      ['Pain increased after aspirin was stopped.', null],
      ['After stopping aspirin, pain increased.', null],
      ['Pain was not different with or without aspirin.', null],
      ['High-dose aspirin reduced pain and low-dose aspirin did not.', null],
      ['Aspirin reduced the number of patients with pain.', null],
      ['Aspirin improved pain but increased bleeding.', 'better: pain'],
    ],
  ],
  [
    'Do cover crops increase yield?',
    [
      ['Yield after cover crops was 5% lower than yield after fallow.', 'decrease: Yield'],
      ['Yields declined with cover crops in dry years only.', null],
      ['Terminating cover crops early increased yield.', null],
      ['Winterkilled cover crops increased yield.', null],
      ['Yield was greater without cover crops.', null],
      ['Yield was reduced by cover crops.', 'decrease: Yield'],
      ['Yields of maize following cover crops were similar to yields of maize following fallow.', null],
      ['Cover crops had no effect on yield.', 'none: yield'],
      ['Cover crop biomass increased yield.', null],
      ['Mixed cover crops increased yield compared with single-species cover crops.', null],
    ],
  ],
  [
    'Does telework reduce stress?',
    [
      ['Employees who teleworked less had higher stress.', null],
      ['Mandatory telework increased stress.', null],
      ['Return from telework to the office increased stress.', null],
      ['Stress was higher on office days than on telework days.', null],
      ['Telework reduced work-related stress and increased family-related stress.', null],
      ['Hypothesis 2, that telework reduces stress, was rejected.', null],
      ['Stress fell during the pandemic among employees in telework.', null],
    ],
  ],
]

/** Sentences with a finding that is not read. Another reading would be wrong. */
const NOT_YET_READ: Table = [
  [
    'Does exercise reduce depressive symptoms?',
    [
      [
        'No difference in depressive symptoms was found between exercise and antidepressants.',
        'none: depressive symptoms',
      ],
    ],
  ],
  [
    'Does irrigation increase soil salinity?',
    [['Soil salinity increased significantly under drip irrigation.', 'increase: Soil salinity']],
  ],
  [
    'Does intermittent fasting reduce body weight?',
    [
      [
        'Body weight did not differ between intermittent fasting and continuous energy restriction.',
        'none: Body weight',
      ],
    ],
  ],
  [
    'Do microplastics reduce the growth of mussels?',
    [['Mussel growth was reduced by 24% in the presence of microplastics.', 'decrease: Mussel growth']],
  ],
  [
    'Does code review reduce defects?',
    [
      ['Modules with code review had 30% fewer defects than modules without code review.', 'decrease: defects'],
      ['The effect of code review on defects was not statistically significant.', 'none: defects'],
    ],
  ],
  [
    'Does mindfulness reduce anxiety in students?',
    [
      [
        'Students in the mindfulness group reported lower anxiety than the waitlist group (d = 0.45, p = .003).',
        'decrease: anxiety',
      ],
      ['The mindfulness program did not produce a significant reduction in anxiety.', 'no decrease: anxiety'],
      [
        'Anxiety scores at follow-up were significantly lower in the mindfulness group than in the control group.',
        'decrease: Anxiety scores',
      ],
    ],
  ],
  [
    'Does prone positioning reduce mortality in ARDS?',
    [
      [
        'Patients assigned to prone positioning had lower 90-day mortality than patients assigned to supine positioning (RR 0.75, 95% CI 0.60-0.93).',
        'decrease: 90-day mortality',
      ],
    ],
  ],
]

const read = (question: string, sentence: string) => {
  const finding = findingReader(question)(sentence, () => new Set(searchTerms(question)))
  return finding && `${finding.direction}: ${finding.outcome.core}`
}
const rows = (table: Table) => table.flatMap(([question, list]) => list.map((row) => [question, ...row] as const))

describe('findingReader with sentences in the style of abstracts', () => {
  it.each(rows(READ))(
    'findingReader reads for the question %s (LIB-16) the sentence %j as %j',
    (question, sentence, finding) => {
      expect(read(question, sentence)).toBe(finding)
    },
  )

  it.each(rows(NOT_YET_READ))(
    'findingReader reads for the question %s (LIB-16) nothing in the sentence %j, or %j',
    (question, sentence, finding) => {
      expect([null, finding]).toContain(read(question, sentence))
    },
  )
})
