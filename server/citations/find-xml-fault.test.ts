import { describe, expect, it } from 'vitest'
import { findXmlFault } from './find-xml-fault.ts'

describe('well-formed XML', () => {
  it.each([
    ['<?xml version="1.0"?>\n<a b="1>"><!-- <c> --><d/> text </a>\n', null],
    ['<a>\n<b></a>', 'Line 2: </a> instead of </b>.'],
    ['<a></a></b>', 'Line 1: </b> instead of the end of the file.'],
    ['<a>\n\n', 'Line 3: </a> is missing.'],
    ['<a b=1/>', 'Line 1: this tag has no end.'],
    ['<a', 'Line 1: this tag has no end.'],
  ])('The fault of %j is named with its line', (text, fault) => {
    expect(findXmlFault(text)).toBe(fault)
  })
})
