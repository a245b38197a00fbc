// The libraries of the reference API, and those that are built on them, with one gateway.

import { agentsSdk } from './agents.ts'
import { aiSdk } from './ai-sdk.ts'
import { langChain } from './langchain.ts'
import './openai-node.ts'
import './openai-python.ts'
import { system } from './shared-system.ts'

aiSdk(system)
langChain(system)
agentsSdk(system)
