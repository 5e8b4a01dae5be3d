import { expect, it } from 'vitest'
import { readUnambiguousAddress, unambiguousAddress } from './project-address.ts'

it('An unambiguous address has the name and the first four digits of the id', () => {
  const address = unambiguousAddress({ id: '3f2a7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11', name: 'Naps & more' })
  expect(address).toBe('Naps & more~3f2a')
  expect(readUnambiguousAddress(address)).toEqual({ name: 'Naps & more', digits: '3f2a' })
})

it.each([
  ['Naps~3F2A', { name: 'Naps', digits: '3f2a' }],
  ['Naps~1234~abcd', { name: 'Naps~1234', digits: 'abcd' }],
  ['Naps', null],
  ['Naps~3f2', null],
  ['Naps~3f2ab', null],
  ['Naps~3f2g', null],
  ['~3f2a', null],
])('The address %j is read as %j', (address, read) => {
  expect(readUnambiguousAddress(address)).toEqual(read)
})
