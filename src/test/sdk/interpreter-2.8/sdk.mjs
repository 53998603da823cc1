export * from '@e2b/code-interpreter'
