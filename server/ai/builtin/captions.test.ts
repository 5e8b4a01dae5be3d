import { expect, it } from 'vitest'
import { splitWithCaptions } from './captions.ts'
import { quotableSentences } from './quotable-sentences.ts'
import { readSentences } from './sentences.ts'

const captionsOf = (text: string) =>
  splitWithCaptions(text)
    .filter(({ isCaption }) => isCaption)
    .map(({ start, end }) => text.slice(start, end))

it.each<[string, string[]]>([
  [
    'Figure 2. Mean distance by group. We then asked the patients about their walks.',
    ['Figure 2. Mean distance by group.'],
  ],
  [
    'Table 3. Adverse events by group and month\nFour walkers had a minor fall during a walk.',
    ['Table 3. Adverse events by group and month'],
  ],
  [
    'None was lost. Table 3. Adverse events by month. Four walkers had a minor fall.',
    ['Table 3.', 'Adverse events by month.'],
  ],
  [
    'Fig. 4 Minutes of sleep by week. Error bars show the standard error. Sleep was longest in week nine.',
    ['Fig. 4 Minutes of sleep by week.', 'Error bars show the standard error.'],
  ],
  ['FIGURE 1. Flow of participants. The trial began in May.', ['FIGURE 1.', 'Flow of participants.']],
  [
    'Figure S1. Wind speed at both stations. (A) North. (B) South. The wind was stronger in the north.',
    ['Figure S1.', 'Wind speed at both stations.', '(A) North.', '(B) South.'],
  ],
  [
    'Figure 2 Mean distance by group We then asked the patients about their walks.',
    ['Figure 2 Mean distance by group'],
  ],
  ['Table 2 shows that walkers slept longer. Others slept less.', []],
  ['Figures 2 and 3 show the effect of rain. It was small.', []],
  ['The doses are listed in\nTable 3. They fell in the second year.', ['Table 3.']],
  [
    'Table 1. Characteristics of the nurses. Values are means (SD) unless stated otherwise. BMI, body mass index. Most nurses were women.',
    [
      'Table 1. Characteristics of the nurses.',
      'Values are means (SD) unless stated otherwise.',
      'BMI, body mass index.',
    ],
  ],
  ['Table 2: Recall after naps. First, the nurses were asked about words.', ['Table 2: Recall after naps.']],
  [
    'Figure 5: Yield of barley in dry years. The dashed line is the mean of all farms. Farmers sowed barley in March.',
    ['Figure 5: Yield of barley in dry years.', 'The dashed line is the mean of all farms.'],
  ],
  [
    'TABLE IV. Fares before and after the reform. Fares rose in all cities but one.',
    ['TABLE IV.', 'Fares before and after the reform.'],
  ],
  [
    'Supplementary Table 2. Genes with a mutation. Twelve genes had no mutation.',
    ['Supplementary Table 2.', 'Genes with a mutation.'],
  ],
  [
    'Fig. 3 | Growth of the ice sheet. Shaded areas are 95% intervals. The sheet grew until 1820.',
    ['Fig. 3 | Growth of the ice sheet.', 'Shaded areas are 95% intervals.'],
  ],
  [
    'Table 4\nErrors of pilots by hour of the night.\nPilots made most errors after four in the morning.',
    ['Table 4', 'Errors of pilots by hour of the night.'],
  ],
  [
    'Figure 6. Bats per hour at the two caves Note: Red dots denote caves with a gate. Gates had no effect on bats.',
    ['Figure 6. Bats per hour at the two caves Note: Red dots denote caves with a gate.'],
  ],
  ['Figure 3A shows a typical trace. The trace has two peaks.', []],
  ['Table 5 and the appendix list all towns. Six towns had no library.', []],
  [
    'Figure 7. Songs of young and old finches The young finches sang longer songs than the old finches.',
    ['Figure 7. Songs of young and old finches'],
  ],
  [
    'Figure 8. Map of the lakes. Reproduced from an atlas of 1911. n = 40 lakes. *p < 0.05 against the north. Lakes in the south were warmer.',
    ['Figure 8. Map of the lakes.', 'Reproduced from an atlas of 1911. n = 40 lakes.', '*p < 0.05 against the north.'],
  ],
  ['Figure 9. Errors of pilots. Errors were rare by day.', ['Figure 9. Errors of pilots.']],
  ['Table 7. Scores of nurses. Taken together, the scores were low.', ['Table 7. Scores of nurses.']],
])('splitWithCaptions ends a caption before the running text: %j', (text, captions) => {
  expect(captionsOf(text)).toEqual(captions)
})

const CAPTION = 'Figure 2. Mean distance by group.'
const LEGEND = 'Error bars show the standard error of the mean.'
const AFTER = 'We then asked all of the patients about the length of their walks.'

it('quotableSentences and readSentences return the sentence after a caption, and neither the caption nor its legend', () => {
  const text = `${CAPTION} ${LEGEND} ${AFTER}`
  const passage = { content: text, page_number: 1, page_offset: 0, similarity: 0.5, start: 0, end: 10 }
  expect(quotableSentences([passage]).map((sentence) => sentence.text)).toEqual([AFTER])
  expect(readSentences({ text, page: 1 }).map((sentence) => sentence.text)).toEqual([AFTER])
})

it('readSentences reads a paragraph that begins with a sentence about a table', () => {
  const text = `Table 2 shows the walks of each of the patients by week. ${AFTER}`
  expect(readSentences({ text, page: 1 }).map((sentence) => sentence.text)).toEqual([AFTER])
})

it('quotableSentences returns a sentence after a title without a full stop, at its place', () => {
  const content = `Figure 2 Mean distance by group ${AFTER}`
  const passage = { content, page_number: 1, page_offset: 100, similarity: 0.5, start: 100, end: 110 }
  expect(quotableSentences([passage])).toMatchObject([{ text: AFTER, start: 132, end: 132 + AFTER.length }])
})
