import { describe, expect, it } from 'vitest'
import { readHeading, sectionsOf } from './section-headings.ts'

describe('readHeading', () => {
  it.each([
    'Abstract',
    'ABSTRACT',
    '1 Introduction',
    '2.1 Study design and participants',
    'IV. Results',
    'Threats to validity',
    'THREATS TO VALIDITY',
    'Conclusion:',
    'Statement of Need',
    'Zusammenfassung',
    'Future work',
    'Appendix B: Changes to the protocol',
  ])('readHeading accepts %j', (line) => expect(readHeading(line)).not.toBeNull())
  it.each([
    'The dose fell.',
    '12 34 56',
    'P8 0.740',
    'Jan Keim',
    '1. We asked them whether they slept well at night and for how long they had done so.',
    '',
    'Walking improved sleep',
    'SAD 12',
    'Introduction attendance\t31 (86%)\t24 (73%)',
  ])('readHeading refuses %j', (line) => expect(readHeading(line)).toBeNull())
})

describe('sectionsOf', () => {
  it('sectionsOf applies a heading until the next one, across chunks', () => {
    const contents = ['Title of it\nAbstract Context It rose.', 'It fell.\n2 Methods\nWe asked.', 'And again.']
    const named = sectionsOf(contents).map((sections, index) =>
      sections.map(({ heading, start, end }) => [heading, contents[index]!.slice(start, end).trim()]),
    )
    expect(named).toEqual([
      [
        ['', 'Title of it'],
        ['Abstract', 'Abstract Context It rose.'],
      ],
      [
        ['Abstract', 'It fell.'],
        ['2 Methods', '2 Methods\nWe asked.'],
      ],
      [['2 Methods', 'And again.']],
    ])
  })

  it('sectionsOf accepts a heading in capitals of any meaning, and ends a section before the references', () => {
    const [sections] = sectionsOf(['DOSES AND SITES\nTen sites.\nConclusion\nIt fell.\nReferences\n1. A paper.'])
    expect(sections!.map(({ heading }) => heading)).toEqual(['DOSES AND SITES', 'Conclusion', 'References'])
  })
})
