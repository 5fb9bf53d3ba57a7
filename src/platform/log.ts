import { pino, type DestinationStream, type Logger } from 'pino'
