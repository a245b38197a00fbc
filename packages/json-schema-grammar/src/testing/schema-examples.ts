// One schema for each thing that a grammar enforces, with texts that match and texts that don't.

import { COMBINING_EXAMPLES } from './combining-examples.ts'
import { UNIQUE_EXAMPLES } from './unique-examples.ts'
import { array, BOOLEAN, INTEGER, NULL, NUMBER, object, STRING } from './schema-example.ts'
import type { Examples, SchemaExample } from './schema-example.ts'

const point = object({ x: INTEGER, y: INTEGER }, { required: ['x'] })
const list = object({ value: INTEGER, next: { anyOf: [{ $ref: '#' }, NULL] } }, { required: ['value', 'next'] })

const EXAMPLES: Examples = {
  ...COMBINING_EXAMPLES,
  ...UNIQUE_EXAMPLES,
  'optional properties': [
    point,
    ['{"x":1}', '{"x":1,"y":2}', '{ "x": 1, "y": 2 }'],
    ['{}', '{"y":2}', '{"x":1,"z":2}', '{"x":1,}', '{"y":2,"x":1}', '{  "x":1}', '{\n"x":1}'],
  ],
  'no properties': [object({}), ['{}'], ['{"a":1}', '[]']],
  'any object': [{ type: 'object' }, ['{}', '{"a":[1,{"b":null}],"c":"d"}'], ['[]', '1', '{"a"}']],
  'required without properties': [
    { type: 'object', required: ['a'] },
    ['{"a":1}', '{"a":{},"b":2}'],
    ['{}', '{"b":1}'],
  ],
  'additional properties': [
    { ...point, additionalProperties: BOOLEAN },
    ['{"x":1,"z":true}', '{"x":1}', '{"x":1,"xx":true}', '{"x":1,"yo":false,"":true}'],
    ['{"x":1,"z":2}', '{"x":1,"x":true}', '{"x":1,"y":true}'],
  ],
  maps: [
    { type: 'object', propertyNames: STRING, additionalProperties: INTEGER },
    ['{}', '{"a":1,"b":2}'],
    ['{"a":"1"}'],
  ],
  'at least one property': [object({ a: NULL, b: NULL }, { minProperties: 1 }), ['{"a":null}', '{"b":null}'], ['{}']],
  enum: [
    { enum: ['red', 'reddish', 3, null, { a: 1 }] },
    ['"red"', '"reddish"', '3', 'null', '{"a":1}'],
    ['"re"', '"reddi"', '4', '{"a": 1}'],
  ],
  'enum within a type': [{ type: 'string', enum: ['a', 1, 'long'], maxLength: 2 }, ['"a"'], ['1', '"long"']],
  const: [{ const: 'a"b' }, [String.raw`"a\"b"`], ['"ab"']],
  types: [{ type: ['string', 'null'] }, ['"x"', 'null'], ['1', 'true']],
  anyOf: [{ anyOf: [INTEGER, array(NULL)] }, ['7', '[]', '[null,null]'], ['"7"', '[1]']],
  'anyOf beside a type': [
    object({ a: INTEGER }, { anyOf: [{ required: ['a'] }, { properties: { b: { const: 1 } }, required: ['b'] }] }),
    ['{"a":1}', '{"a":1,"b":1}', '{"b":1}'],
    ['{}', '{"b":2}'],
  ],
  'oneOf by a tag': [
    {
      oneOf: [
        object({ k: { const: 'a' } }, { required: ['k'] }),
        object({ k: { const: 'b' }, n: NULL }, { required: ['k'] }),
      ],
    },
    ['{"k":"a"}', '{"k":"b","n":null}'],
    ['{"k":"c"}', '{"k":"a","n":null}'],
  ],
  allOf: [
    { allOf: [point, object({ y: { minimum: 5 } }, { required: ['y'] })] },
    ['{"x":1,"y":5}'],
    ['{"x":1}', '{"x":1,"y":4}'],
  ],
  references: [
    { $defs: { p: point }, type: 'array', items: { $ref: '#/$defs/p' } },
    ['[]', '[{"x":1},{"x":2,"y":3}]'],
    ['[{}]', '[1]'],
  ],
  'references in old style': [{ definitions: { 'a/b': INTEGER }, $ref: '#/definitions/a~1b' }, ['4'], ['"4"']],
  recursion: [
    list,
    ['{"value":1,"next":null}', '{"value":1,"next":{"value":2,"next":null}}'],
    ['{"value":1}', '{"value":1,"next":{}}'],
  ],
  arrays: [
    { type: 'array', items: INTEGER, minItems: 2, maxItems: 3 },
    ['[1,2]', '[1, 2, 3]'],
    ['[]', '[1]', '[1,2,3,4]', '["1","2"]'],
  ],
  'empty arrays': [{ type: 'array', maxItems: 0 }, ['[]'], ['[1]']],
  tuples: [{ type: 'array', prefixItems: [STRING, INTEGER], items: false }, ['["a",1]'], ['["a",1,2]', '[1,"a"]']],
  'tuples with more': [
    { type: 'array', prefixItems: [STRING], items: INTEGER, minItems: 2, maxItems: 3 },
    ['["a",1]', '["a",1,2]'],
    ['["a"]', '["a",1,2,3]'],
  ],
  lengths: [
    { type: 'string', minLength: 2, maxLength: 4 },
    ['"ab"', '"🙂🙂🙂🙂"', String.raw`"a\n"`],
    ['"a"', '"abcde"', '"🙂"'],
  ],
  'no halves of characters': [
    { type: 'string', minLength: 2 },
    [String.raw`"\u00e9\u00e9"`],
    [String.raw`"\ud83d\ude42"`, String.raw`"a\ud83d"`],
  ],
  'long lengths': [{ type: 'string', maxLength: 5000 }, [`"${'x'.repeat(2000)}"`], [`"${'x'.repeat(5001)}"`]],
  integers: [
    { type: 'integer', minimum: 7, maximum: 123 },
    ['7', '10', '99', '100', '123'],
    ['6', '124', '007', '7.0', '-7', '1230'],
  ],
  'negative integers': [{ type: 'integer', minimum: -12, maximum: -3 }, ['-12', '-9', '-3'], ['-13', '-2', '0', '3']],
  'integers across zero': [{ type: 'integer', minimum: -1, maximum: 1 }, ['-1', '0', '1'], ['2', '-2']],
  'exclusive bounds': [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }, ['1', '9'], ['0', '10']],
  'one bound': [{ type: 'integer', minimum: 18 }, ['18', '99', '100', '123456789'], ['17', '0', '-18']],
  fractions: [
    { type: 'number', minimum: 0.5, maximum: 1.25 },
    ['0.5', '1', '1.2', '1.25', '0.999'],
    ['0.4', '1.26', '1.3', '2', '0'],
  ],
  'negative fractions': [
    { type: 'number', exclusiveMinimum: -1, exclusiveMaximum: 0 },
    ['-0.5', '-0.001', '-0.999'],
    ['-1', '0', '0.5', '-1.0'],
  ],
  numbers: [NUMBER, ['0', '-1.5', '2e10', '3.25E-2'], ['01', '.5', '1.', '+1']],
  patterns: [{ type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' }, ['"AB-123"'], ['"ab-123"', '"AB-12"', '"AB-1234"']],
  'patterns anywhere': [
    { type: 'string', pattern: 'cat|dog$' },
    ['"a cat here"', '"hot dog"', '"cat"'],
    ['"dogs"', '"bird"'],
  ],
  'patterns with groups': [{ type: 'string', pattern: '^(?:ab?|c{1,2})+$' }, ['"aab"', '"ccab"'], ['""', '"d"']],
  'patterns with quotes': [
    { type: 'string', pattern: '^["\\\\]$' },
    [String.raw`"\""`, String.raw`"\\"`],
    ['"a"', '"""'],
  ],
  'Unicode classes': [
    { type: 'string', pattern: '^[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*$' },
    ['"Größe: 5 a/b"', '""'],
    ['"a#b"', '"(a)"', '"\\n"'],
  ],
  'all but a Unicode class': [{ type: 'string', pattern: '^\\P{L}+$' }, ['"1 (-)"'], ['"1a"', '"é"', '"я"']],
  'classes without a Unicode class': [
    { type: 'string', pattern: '^[^\\p{L}\\p{Extended_Pictographic}1]+$' },
    ['"2 -"'],
    ['"a"', '"1"', '"я"', '"©"', '"🙂"'],
  ],
  'negated classes': [{ type: 'string', pattern: '^[^a-z]+$' }, ['"ABC 1"'], ['"a"', '""']],
  dates: [
    { type: 'string', format: 'date' },
    ['"2024-02-28"', '"2026-12-31"', '"2024-02-29"', '"2000-02-29"', '"0999-01-01"'],
    ['"2024-02-30"', '"2024-13-01"', '"24-01-01"', '"2023-02-29"', '"1900-02-29"'],
  ],
  'date-times': [
    { type: 'string', format: 'date-time' },
    ['"2024-02-28T10:20:30Z"', '"2024-02-28T10:20:30.5+01:00"'],
    ['"2024-02-28"', '"2024-02-28T25:00:00Z"'],
  ],
  uuids: [
    { type: 'string', format: 'uuid' },
    ['"123e4567-e89b-42d3-a456-426614174000"', '"018F3A5C-7D2E-7B6A-9C1D-0123456789AB"'],
    ['"123e4567"', '"018F3A5C7D2E7B6A9C1D0123456789AB"'],
  ],
  email: [
    { type: 'string', format: 'email' },
    ['"ada.l@example.com"', '"Ada.L+x@Mail.Example.COM"'],
    ['"ada"', '"a@b"', '"a..b@c.de"', '"ada@-example.com"', '"@example.com"'],
  ],
  addresses: [{ type: 'string', format: 'ipv4' }, ['"192.168.0.255"'], ['"256.1.1.1"', '"1.1.1"']],
  'what must not be there': [
    object({ a: { anyOf: [{ not: {} }, NULL] } }, { required: ['a'] }),
    ['{"a":null}'],
    ['{"a":1}', '{}'],
  ],
  anything: [{}, ['1', '"a"', '[{}]', 'null'], ['', 'nope']],
}

export const SCHEMA_EXAMPLES = Object.entries(EXAMPLES).map(([name, example]): SchemaExample => [name, ...example])
