from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    name = "integrations"
    verbose_name = "Store software"

    def ready(self) -> None:
        """Large imports that a key asked for ask the key again."""
        from integrations.keys import may_enter_teams
        from tournaments.large_imports import MAY_STILL

        MAY_STILL["key"] = may_enter_teams
