// Arrays whose items may not repeat, with texts that match and texts that don't.

import { array, INTEGER, NUMBER, object, STRING, type Examples } from './schema-example.ts'

const unique = (items: object, more: object = {}) => ({ type: 'array', items, uniqueItems: true, ...more })

export const UNIQUE_EXAMPLES: Examples = {
  'uniqueItems over a list of values': [
    { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 1 },
    ['["a"]', '["c","a"]', '["b","a","c"]'],
    ['[]', '["a","a"]', '["a","b","a"]', '["d"]'],
  ],
  'uniqueItems over many values': [
    { type: 'array', items: { type: 'integer', minimum: 1, maximum: 40 }, uniqueItems: true, maxItems: 3 },
    ['[]', '[3]', '[1,7,40]'],
    ['[1,1]', '[1,2,3,4]', '[41]'],
  ],
  'unique texts (pydantic set[str])': [
    unique(STRING),
    ['[]', '["a"]', '["a","b","ab"]', '["a", "A"]', '["", " "]'],
    ['["a","a"]', '["a","b","a"]', '["a","\\u0061"]', '["","" ]', '["/","\\/"]'],
  ],
  'unique numbers': [
    unique(NUMBER),
    ['[1,2]', '[1,1.5]', '[1,10,100]', '[-1,1]'],
    ['[1,1]', '[1,1.0]', '[1,10e-1]', '[100,1e2]', '[0,-0]', '[1,2,3,2]'],
  ],
  'unique integers (pydantic frozenset[int])': [unique(INTEGER), ['[7,77,777]', '[ 1 , 2 ]'], ['[7,7]', '[ 1 , 1 ]']],
  'unique objects (pydantic set of a model)': [
    unique(object({ a: STRING, b: INTEGER }, { required: ['a'] })),
    ['[{"a":"x"},{"a":"y"}]', '[{"a":"x"},{"a":"x","b":1}]', '[{"a":"x","b":1},{"a":"x","b":2}]'],
    ['[{"a":"x"},{"a":"x"}]', '[{"a":"x","b":1},{"a": "x", "b": 1}]'],
  ],
  'unique objects in any order': [
    unique({ type: 'object', additionalProperties: INTEGER }),
    ['[{"a":1,"b":2},{"a":2,"b":1}]'],
    ['[{"a":1,"b":2},{"b":2,"a":1}]'],
  ],
  'unique values of any type': [
    unique({}),
    ['[1,"1",null,[1],[1,1]]', '[{},[]]'],
    ['[null,null]', '[[1],[ 1 ]]', '[{},{}]'],
  ],
  'unique arrays of unique items': [
    unique(unique(INTEGER)),
    ['[[1,2],[2,1]]', '[[1],[1,2],[]]'],
    ['[[1,1]]', '[[1,2],[1,2]]', '[[],[]]'],
  ],
  'unique items in one of two arrays': [
    object({ a: unique(STRING), b: array(STRING) }, { required: ['a', 'b'] }),
    ['{"a":["x"],"b":["x","x"]}', '{"a":["x","y"],"b":["x"]}'],
    ['{"a":["x","x"],"b":[]}'],
  ],
  'unique items in one of two alternatives': [
    { anyOf: [unique(INTEGER, { maxItems: 9 }), { type: 'array', items: INTEGER, maxItems: 2 }] },
    ['[1,1]', '[1,2,3]'],
    ['[1,1,2]', '[1,2,1]'],
  ],
  'unique items with lengths': [
    unique({ type: 'string', maxLength: 2 }, { minItems: 2, maxItems: 3 }),
    ['["a","b"]', '["a","b","ab"]'],
    ['["a"]', '["a","a"]', '["a","b","c","d"]'],
  ],
  'unique items after fixed ones': [
    { type: 'array', prefixItems: [STRING], items: { type: ['string', 'null'] }, uniqueItems: true },
    ['["a"]', '["a","b",null]'],
    ['["a","a"]', '["a",null,null]', '[null]'],
  ],
  'unique items that contain one': [
    unique(STRING, { contains: { const: 'x' } }),
    ['["x"]', '["a","x","b"]'],
    ['[]', '["a"]', '["x","x"]', '["a","x","a"]'],
  ],
  'more than a few unique values, in any order': [
    unique({ enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] }),
    ['["j","a"]', '["e","d","c"]', '["j","i","h","g","f","e","d","c","b","a"]'],
    ['["j","j"]', '["a","b","c","a"]', '["k"]'],
  ],
  'equal objects in a list of values': [
    unique({ enum: [{ a: 1, b: 2 }, { b: 2, a: 1 }, 3] }),
    ['[3]'],
    ['[{"a":1,"b":2},{"b":2,"a":1}]', '[3,3]'],
  ],
}
