import { describe, expect, it } from 'vitest'
import { listedNames } from './listed-names.ts'

const ADA = { family: 'Lovelace', given: 'Ada' }
const GABRIEL = { family: 'García Márquez', given: 'Gabriel José' }
const MARIO = { family: 'Vargas Llosa', given: 'Jorge Mario Pedro' }
const GREIG = { family: 'Greig Fairfax', given: 'Mary Ann' }
const MARY = { family: 'Somerville', given: 'Mary' }

describe('listedNames', () => {
  it.each([
    ['Ada Lovelace\nMary Somerville', [ADA, MARY]],
    ['Lovelace, Ada; Somerville, Mary', [ADA, MARY]],
    ['Ada Lovelace1,2*, Mary Somerville3 and', [ADA, MARY]],
    [
      'Ada Lovelace, Mary Somerville, and World Health Organization',
      [ADA, MARY, { literal: 'World Health Organization' }],
    ],
    ['Ada Lovelace & Mary Somerville', [ADA, MARY]],
    ['Lovelace, Ada', [ADA]],
    ['García Márquez, Gabriel José', [GABRIEL]],
    ['García Márquez, Gabriel J.', [{ ...GABRIEL, given: 'Gabriel J.' }]],
    ['Vargas Llosa, Jorge Mario Pedro\nGarcía Márquez, Gabriel José', [MARIO, GABRIEL]],
    ['García Márquez, Gabriel José and Greig Fairfax, Mary Ann', [GABRIEL, GREIG]],
    ['García Márquez, Gabriel José; Greig Fairfax, Mary Ann; Lovelace, Ada', [GABRIEL, GREIG, ADA]],
    ['de la Cruz, Ann Mary', [{ 'non-dropping-particle': 'de la', family: 'Cruz', given: 'Ann Mary' }]],
    ['Van der Cruz, Ann Mary', [{ given: 'Ann Mary', family: 'Van der Cruz' }]],
    ['Nguyen Van, Thi Hoa', [{ given: 'Thi Hoa', family: 'Nguyen Van' }]],
    ['Nguyễn Văn, Đức Thị', [{ given: 'Đức Thị', family: 'Nguyễn Văn' }]],
    [
      'Thi Hoa Nguyen, Van Minh Tran',
      [
        { given: 'Thi Hoa', family: 'Nguyen' },
        { given: 'Van Minh', family: 'Tran' },
      ],
    ],
    [
      'Gabriel García, José Márquez',
      [
        { family: 'García', given: 'Gabriel' },
        { family: 'Márquez', given: 'José' },
      ],
    ],
    ['Ada Lovelace, Mary Somerville', [ADA, MARY]],
    ['Ada Lovelace, Mary Somerville,\nAda Lovelace, Mary Somerville', [ADA, MARY, ADA, MARY]],
    ['Ada Lovelace1, Mary Somerville2\nAda Lovelace3, Mary Somerville4', [ADA, MARY, ADA, MARY]],
    [' ;\n 1, ', []],
  ])('listedNames reads the names in %j (FMT-09)', (text, names) => {
    expect(listedNames(text)).toEqual(names)
  })
})
