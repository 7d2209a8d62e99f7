import { equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from 'rapport-sdk'
import { RapportProvider, useGatewayState } from 'rapport-sdk/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'

const client = new Client({ baseUrl: 'https://service.example' })
const State = () => useGatewayState()
equal(renderToString(createElement(RapportProvider, { client }, createElement(State))), 'idle')

// Frameworks with server components read the directive in the entry itself, in either format.
const entry = fileURLToPath(import.meta.resolve('rapport-sdk/react'))
for (const file of [entry, entry.replace(/js$/, 'cjs')]) equal(readFileSync(file, 'utf8').slice(0, 13), '"use client";')
