import { describe, expect, it } from 'vitest'
import { findEvidenceLevel } from './evidence-level.ts'
import type { SectionRole } from '#server/language/section-headings.ts'
import type { Move, Statement } from './statements.ts'

const statement = (text: string, role: SectionRole = 'abstract', move: Move | null = 'methods'): Statement => ({
  text,
  page: 1,
  role,
  move: role === 'abstract' ? move : null,
  order: 0,
})

describe('findEvidenceLevel', () => {
  it.each([
    ['We conducted a systematic review of trials in nine databases.', 'Level 1: Systematic review or meta-analysis'],
    ['We performed a meta-analysis of 14 studies.', 'Level 1: Systematic review or meta-analysis'],
    ['Participants were randomly assigned to tea or water.', 'Level 2: Randomised controlled trial'],
    ['This double-blind study was conducted in two clinics.', 'Level 2: Randomised controlled trial'],
    ['We followed a prospective cohort of 900 nurses.', 'Level 3: Cohort or longitudinal study'],
    ['We conducted a controlled experiment with 40 students.', 'Level 3: Controlled experiment'],
    ['A questionnaire survey was created and sent to 300 teachers.', 'Level 4: Cross-sectional study or survey'],
    ['This case-control study was conducted in Oslo.', 'Level 4: Case-control study'],
    ['Patients were allocated at random to tea or water.', 'Level 2: Randomised controlled trial'],
    ['We report the case of a nurse with a rash.', 'Level 4: Case study or case report'],
    ['A 34-year-old gardener presented with a rash.', 'Level 4: Case study or case report'],
    ['In a case-control study, 214 patients were matched with 428 others.', 'Level 4: Case-control study'],
    ['Files of 388 riders were reviewed retrospectively.', 'Level 4: Case series or review of records'],
    ['Medical records of 80 patients were reviewed.', 'Level 4: Case series or review of records'],
  ])('findEvidenceLevel reads %j as %s and quotes it', (text, level) => {
    expect(findEvidenceLevel('On tea', [statement(text)])).toEqual({ text: level, quote: text })
  })

  it.each([
    'No randomised controlled trial was conducted here.',
    'We know of no double-blind study of tea.',
    'Previous systematic reviews were conducted on coffee.',
    'Further prospective cohort studies should be performed.',
    'We included randomised trials that other groups had published, as a randomised controlled trial (Smith 2012) was not possible.',
    'A randomised controlled trial of tea is needed.',
    'The classes were not randomised.',
    'The classes were neither randomised nor blinded.',
    'The tool is open-source and was evaluated on five projects.',
  ])('findEvidenceLevel reads no level from %j', (text) => {
    expect(findEvidenceLevel('On tea', [statement(text, 'methods')])).toEqual({ text: 'Unknown', quote: null })
  })

  it('findEvidenceLevel uses a design in the title, and quotes the title', () => {
    const title = 'Tea and sleep: a randomised controlled trial'
    expect(findEvidenceLevel(title, [])).toEqual({ text: 'Level 2: Randomised controlled trial', quote: title })
    expect(findEvidenceLevel('Tea and sleep: protocol of a systematic review', []).text).toBe('Unknown')
  })

  it('findEvidenceLevel ignores background and discussion', () => {
    expect(
      findEvidenceLevel(null, [statement('This was shown in a cohort study of nurses.', 'abstract', 'background')])
        .text,
    ).toBe('Unknown')
    expect(findEvidenceLevel(null, [statement('We conducted a cohort study.', 'discussion')]).text).toBe('Unknown')
  })

  it('findEvidenceLevel reads a controlled experiment with random groups as randomised', () => {
    const drawn = statement('Students were randomly assigned to two groups.', 'methods')
    expect(findEvidenceLevel('Tea: a controlled experiment', [drawn])).toEqual({
      text: 'Level 2: Randomised controlled trial',
      quote: drawn.text,
    })
  })
})
