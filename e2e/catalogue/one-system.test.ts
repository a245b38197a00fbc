import './a-calls.ts'
import './c-bodies.ts'
import './d-fields.ts'
import './i-replies.ts'
